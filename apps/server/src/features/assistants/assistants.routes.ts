import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { answerAssistant } from '@assay/assistants';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callWithin } from './call-within.ts';

export interface AssistantsParts {
  readonly publicUrl: string;
  readonly version: string;
  /** Whether a text has the form of an API key. */
  readonly isApiKey: (text: string) => boolean;
}

const path = '/mcp';
/**
 * Two thousand pasted addresses fit. It is read on the event loop, for anybody whose key looks like one, so that more would delay
 * other calls.
 */
const bodyBytesMax = 64 * 1024;

/**
 * The Model Context Protocol at /mcp, for assistants. Its tools call the API with the caller's key as a program of theirs would,
 * so that scopes, networks, limits and the log of the key hold. See docs/decisions/assistants.md.
 */
export async function registerAssistants(app: FastifyInstance, parts: AssistantsParts): Promise<void> {
  const { publicUrl, version, isApiKey } = parts;
  const keyIn = ({ headers }: FastifyRequest): string | undefined => {
    const key = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? headers['x-api-key'];
    return typeof key === 'string' && isApiKey(key) ? key : undefined;
  };
  await app.register(async (scope) => {
    // The protocol has its own answers to what cannot be read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      bodyLimit: bodyBytesMax,
      config: { auth: 'public' },
      handler: async (request, reply) => {
        const { status, headers, body } = await answerAssistant(webRequestOf(request, publicUrl), {
          publicUrl,
          version,
          bodyBytesMax,
          apiKey: keyIn(request),
          fetch: callWithin(app, request.ip),
        });
        reply.code(status).headers({ ...Object.fromEntries(headers), 'cache-control': 'no-store' });
        return body ? reply.send(Readable.fromWeb(body as ReadableStream)) : reply.send();
      },
    });
  });
}

function webRequestOf({ method, headers, body }: FastifyRequest, publicUrl: string): Request {
  const texts = Object.entries(headers).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return new Request(new URL(path, publicUrl), {
    method,
    headers: texts,
    ...(body instanceof Uint8Array && { body: new Uint8Array(body) }),
  });
}
