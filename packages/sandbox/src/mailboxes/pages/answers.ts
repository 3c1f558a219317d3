import type { Html } from '../../web/html.ts';
import type { Answer } from '../../web/server.ts';

export const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

export const redirect = (location: string): Answer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
});

/** Nothing runs and nobody frames us. Browsers apply `form-action` to the redirect after a form too. */
export function page(document: Html, { status = 200, formTarget }: { status?: number; formTarget?: string }) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${formTarget ? ` ${new URL(formTarget).origin}` : ''}`,
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
    body: `<!doctype html>\n${document.text}\n`,
  } satisfies Answer;
}
