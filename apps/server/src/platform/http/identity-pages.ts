import { request as askHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.ts';
import { whenClosed } from './when-closed.ts';

export interface IdentityPagesOptions {
  /** Where `assay identity` listens. */
  readonly url: string;
  /** Where its pages are, here and there. */
  readonly path: string;
}

/** Forms of the provider are small. */
const bodyBytesMax = 64 * 1024;
/** It may wait for a mail relay, which has 20 seconds. */
const answerTimeoutMs = 30_000;
const retrySeconds = 5;
/** RFC 9110 §7.6.1: they belong to one connection, and a proxy must not pass them on. */
const ofOneConnection = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** The accounts of all people are managed below these. Only the product asks for that, and not from outside. */
const internalFolders = ['admin', 'realms'];

/**
 * Serves the pages and endpoints of the identity provider, so that browsers need no second address.
 * See docs/decisions/identity-below-public-url.md.
 */
export async function addIdentityPages(app: FastifyInstance, options: IdentityPagesOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: `${options.path}/*`,
      bodyLimit: bodyBytesMax,
      // Pages contain a secret beside what people typed. Compressed, their length would tell of it (BREACH).
      compress: false,
      config: { auth: 'public', isOpenedByPeople: true },
      handler: async (request, reply) => {
        const [folder = ''] = (request.params as { '*': string })['*'].split('/');
        if (internalFolders.includes(folder)) throw new AppError('route_not_found');
        const answer = await ask(request, options.url, (cancel) => whenClosed(reply.raw, cancel));
        return reply
          .code(answer.statusCode ?? 502)
          .headers(withoutThoseOfOneConnection(answer.headers))
          .send(answer);
      },
    });
  });
}

function ask(
  { raw, body, ip }: FastifyRequest,
  url: string,
  onCancel: (cancel: () => void) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = withoutThoseOfOneConnection(raw.headers);
    for (const name of Object.keys(headers))
      if (/^(forwarded|x-forwarded-.*|x-real-ip)$/.test(name)) delete headers[name];
    const question = (url.startsWith('https:') ? askHttps : askHttp)(new URL(url), {
      method: raw.method,
      path: raw.url,
      // Whose attempts count together: as TRUSTED_PROXIES lets us see it, and not as the client says.
      headers: {
        ...headers,
        'x-forwarded-for': ip,
        'content-length': (body as Buffer | undefined)?.length ?? 0,
      },
      timeout: answerTimeoutMs,
      // A new connection each time: the provider may close a kept one just when a form is sent on it.
      agent: false,
    });
    question.on('response', resolve);
    question.on('timeout', () => question.destroy(new Error('the identity provider did not answer in time')));
    question.on('error', (cause) => reject(unavailable(cause)));
    onCancel(() => question.destroy());
    question.end(body);
  });
}

const unavailable = (cause: Error): AppError =>
  new AppError('service_unavailable', {}, { cause, meta: { retry_after_seconds: retrySeconds } });

const withoutThoseOfOneConnection = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.includes(name)));
