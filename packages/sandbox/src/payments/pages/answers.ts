import { type Html, html } from '../../web/html.ts';
import type { Answer } from '../../web/server.ts';

/** What every page says about itself. */
export interface PageHead {
  title: string;
  businessName: string;
  /** A link out of the portal, back to the product. */
  back: { href: string; label: string } | null;
  /** Where a form of this page may lead besides ourselves: browsers apply this to redirects too. */
  formTargets?: (string | null | undefined)[];
  status?: number;
  layout?: 'portal' | 'document';
}

export function page(head: PageHead, body: Html): Answer {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${head.title} · ${head.businessName}</title>
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/parts.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body class="${head.layout ?? 'portal'}">
<aside class="strip" aria-label="Notice"><strong>Test payments</strong> <span>No card is charged and no money moves.</span></aside>
<div class="frame">
<header class="side">
<p class="brand"><img src="/assets/icon.svg" alt="" width="28" height="28">${head.businessName}</p>
${head.back && html`<a class="back" href="${head.back.href}"><span aria-hidden="true">←</span> ${head.back.label}</a>`}
</header>
<main>
${body}
</main>
</div>
</body>
</html>
`;
  return {
    status: head.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...securityHeaders(head.formTargets ?? []) },
    body: document.text,
  };
}

/** Nothing runs, nothing is fetched from elsewhere, nobody frames us, and no address with its token is passed on. */
function securityHeaders(formTargets: (string | null | undefined)[]): Record<string, string> {
  const origins = new Set(
    formTargets.filter((url) => typeof url === 'string').map((url) => new URL(url).origin),
  );
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

export const redirect = (location: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
});

export const alert = (message: string | null | undefined): Html | null =>
  message ? html`<div class="alert" role="alert"><p>${message}</p></div>` : null;
