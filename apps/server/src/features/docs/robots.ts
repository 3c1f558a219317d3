import type { Config } from '../../platform/config/index.ts';
import { guidePages } from './guide-pages.ts';
import { escapeHtml } from './html.ts';
import { REFERENCE_PATH } from './reference/sections.ts';
import { sectionsFor } from './site.ts';

/** Search engines may read the documentation. The API answers no one without a key. */
export const robotsText = (publicUrl: string): string => `User-agent: *
Disallow: /api/
Allow: /

Sitemap: ${publicUrl}/sitemap.xml
`;

/** The pages that everyone sees. */
export function sitemapText({ publicUrl, stage }: Pick<Config, 'publicUrl' | 'stage'>): string {
  const pages = [...guidePages, { path: REFERENCE_PATH }, ...sectionsFor({ hasGuessing: false }, { stage })];
  const entries = pages.map(({ path }) => `  <url><loc>${escapeHtml(`${publicUrl}${path}`)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}
