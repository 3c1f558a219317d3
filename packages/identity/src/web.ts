import type { IncomingMessage } from 'node:http';
import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Installation } from './installation.ts';
import { type Caller, homeUrlOf, mountPathOf } from './options.ts';
import { browserScriptPath } from './pages/browser-script.ts';
import { errorMessage } from './pages/messages.ts';

export type Context = Pick<
  KoaContextWithOIDC,
  'req' | 'res' | 'path' | 'method' | 'ip' | 'cookies' | 'status' | 'body' | 'type' | 'url'
> & {
  get(field: string): string;
  set(field: string, value: string): void;
  redirect(url: string): void;
  /** Where the provider is mounted below its origin. The library reads it too. */
  mountPath?: string;
};
export type Next = () => Promise<unknown>;

const formBytesMax = 16 * 1024;
const agentLengthMax = 300;

/** Which program sent a request, and from where. */
export const callerOf = (ctx: Pick<Context, 'get' | 'ip'>): Caller => ({
  address: ctx.ip,
  agent: ctx.get('user-agent').slice(0, agentLengthMax) || null,
});

/**
 * Headers of every answer. One script of ours runs here, and the library's own one-liners, whose hashes it adds
 * itself. Chromium applies `form-action` to the redirects after a form too, so the web app's origins are in it.
 */
export function securityHeadersOf({ options }: Installation): Record<string, string> {
  const returnOrigins = [...options.redirectUris, ...options.postLogoutRedirectUris].map(
    (uri) => new URL(uri).origin,
  );
  const policy = [
    "default-src 'none'",
    `script-src ${new URL(options.issuer).origin}${mountPathOf(options.issuer)}${browserScriptPath}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(returnOrigins)].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    ...(options.issuer.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** Pages write their paths from the root of the provider. `html` escapes quotes, so nothing that people typed looks like one. */
const pathInPage = / (href|src|action)="\//g;

export function sendPage(ctx: Context, page: string, status = 200): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('cache-control', 'no-store');
  ctx.body = ctx.mountPath ? page.replace(pathInPage, ` $1="${ctx.mountPath}/`) : page;
}

/** 303: the browser asks for the next page with GET, whatever it has just posted. Paths begin at the root of the provider. */
export function seeOther(ctx: Context, url: string): void {
  ctx.redirect(url.startsWith('/') ? `${ctx.mountPath ?? ''}${url}` : url);
  ctx.status = 303;
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > formBytesMax) throw new errors.InvalidRequest('the request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** An error that ends a flow, as a page: what happened, in words, and the way back. */
export function sendError(installation: Installation, ctx: Context, error: Error): void {
  const known = error instanceof errors.OIDCProviderError && error.status < 500 ? error : undefined;
  if (!known) installation.onError(error);
  const homeUrl = homeUrlOf(installation);
  sendPage(ctx, errorMessage({ ...wordsFor(known), homeUrl }), known?.status ?? 500);
}

function wordsFor(known: errors.OIDCProviderError | undefined) {
  if (!known) return { title: 'Whoops!', text: 'There was a system error, please try again in a minute' };
  if (known instanceof errors.SessionNotFound) {
    return {
      title: 'This sign-in has ended',
      text: 'It took too long, or it was finished in another tab. Nothing is lost: just start again.',
    };
  }
  return {
    title: 'That did not work',
    text: 'The page was reached with something missing or not allowed. Please start again from Assay.',
    detail: [known.error, known.error_description].filter(Boolean).join(': '),
  };
}

export function renderProviderError(
  installation: Installation,
  ctx: KoaContextWithOIDC,
  _out: ErrorOut,
  error: Error,
): void {
  sendError(installation, ctx, error);
}
