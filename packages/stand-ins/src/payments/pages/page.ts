import type { Answer } from '@assay/pages';
import { documentOf, type Html, html, pageAnswer, publish, publishStyles } from '@assay/pages';
import { businessName } from '../world.ts';

const styles = publishStyles(
  'payments',
  ['./payments.css', './parts.css'].map((name) => new URL(name, import.meta.url)),
);
const icon = publish(
  'payments',
  'svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#98481a"/><path d="M8 12.5h16M8 17h9" stroke="#fdfaf4" stroke-width="2.6" stroke-linecap="round" fill="none"/><path d="m19 21 2.4 2.4L26 19" stroke="#fdfaf4" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" fill="none"/></svg>`,
);

export interface PageHead {
  title: string;
  /** A link out of the portal, back to the product. */
  back?: { href: string; label: string } | null;
  /** Where a form of this page may lead besides ourselves: browsers apply this to redirects too. */
  formTargets?: (string | null | undefined)[];
  status?: number;
  layout?: 'portal' | 'document';
}

export function page(head: PageHead, body: Html): Answer {
  const document = documentOf({
    title: `${head.title} · ${businessName}`,
    styles,
    icon,
    className: head.layout ?? 'portal',
    body: html`<aside class="strip" aria-label="Notice"><strong>Test payments</strong> <span>No card is charged and no money moves.</span></aside>
<div class="frame">
<header class="side">
<p class="brand"><img src="${icon}" alt="" width="28" height="28">${businessName}</p>
${head.back && html`<a class="back" href="${head.back.href}"><span aria-hidden="true">←</span> ${head.back.label}</a>`}
</header>
<main>
${body}
</main>
</div>`,
  });
  return pageAnswer(document, head);
}

export const alert = (message: string | null | undefined): Html | null =>
  message ? html`<div class="alert" role="alert"><p>${message}</p></div>` : null;
