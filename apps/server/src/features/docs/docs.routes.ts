import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import { readGuideAssets } from './guide-assets.ts';
import { type GuidePage, guidePages } from './guide-pages.ts';
import { readGuideParts } from './guide-parts.ts';
import { fillIn, renderGuidePage } from './render-guide.ts';

const isPublic = { config: { auth: 'public' } } as const;

/** The guide at `/docs`, rendered once at start. */
export async function registerGuide(app: FastifyInstance, config: Config): Promise<void> {
  const { paths, assets } = readGuideAssets();
  for (const { path, type, body } of assets) {
    app.get(path, isPublic, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(body),
    );
  }
  const parts = await readGuideParts(config);
  for (const page of guidePages) {
    const document = renderGuidePage(page, fillIn(await readGuideText(page), parts), paths);
    for (const path of [page.path, `${page.path}/`]) {
      app.get(path, isPublic, async (_request, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(document),
      );
    }
  }
}

export const readGuideText = ({ file }: GuidePage): Promise<string> =>
  readFile(new URL(`./pages/${file}.md`, import.meta.url), 'utf8');
