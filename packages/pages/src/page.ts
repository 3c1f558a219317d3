import type { Answer } from './server.ts';

interface PageOptions {
  status?: number | undefined;
  /** Where a form of this page may lead besides ourselves: browsers apply this to the redirect after a form too. */
  formTargets?: readonly (string | null | undefined)[];
}

/** The page runs no script, loads nothing from other origins, cannot be framed, and sends no referrer with its token. */
export function pageAnswer(document: string, { status = 200, formTargets = [] }: PageOptions = {}): Answer {
  const origins = new Set(formTargets.filter((url) => url != null).map((url) => new URL(url).origin));
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
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: document,
  };
}

/** 303: the browser asks for the next page with GET, whatever it has just posted. */
export const redirect = (location: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
});
