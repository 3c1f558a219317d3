import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerAssistant } from '@assay/assistants';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/auth/index.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { callWithin } from './call-within.ts';

export interface AssistantsParts {
  readonly publicUrl: string;
  readonly version: string;
  /** Whether a text has the form of an API key. */
  readonly isApiKey: (text: string) => boolean;
  /** Null when there is no such key. Throws when it is not valid now or not from there, or when the caller tried too many. */
  readonly callerOfKey: (key: string, networkAddress: string) => Promise<Caller | null>;
}

const path = '/mcp';
/** Two thousand pasted addresses fit. It is read on the event loop, so that more would delay other calls. */
const bodyBytesMax = 64 * 1024;
const waitingMax = 100;

/**
 * The Model Context Protocol at /mcp, for assistants. Its tools call the API with the caller's key as a program of theirs would,
 * so that scopes, networks, limits and the log of the key hold. See docs/decisions/assistants.md.
 */
export async function registerAssistants(app: FastifyInstance, parts: AssistantsParts): Promise<void> {
  const { publicUrl, version, isApiKey, callerOfKey } = parts;
  const keyIn = ({ headers }: FastifyRequest): string | undefined => {
    const key = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? headers['x-api-key'];
    return typeof key === 'string' && isApiKey(key) ? key : undefined;
  };
  /** Each takes some milliseconds of the event loop: they come one after the other, and other calls between them. */
  const turns = new FairQueue({
    placeCount: 1,
    perCustomer: { waitingMax, text: 'Too many requests of assistants at once. Wait for one of them.' },
    restMsAfter: (ranMs) => ranMs,
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply, apiKey: string | undefined) => {
    const { status, headers, body } = await answerAssistant(webRequestOf(request, publicUrl), {
      publicUrl,
      version,
      bodyBytesMax,
      apiKey,
      fetch: callWithin(app, request.ip),
    });
    reply.code(status).headers({ ...Object.fromEntries(headers), 'cache-control': 'no-store' });
    return body ? reply.send(Readable.fromWeb(body as ReadableStream)) : reply.send();
  };
  await app.register(async (scope) => {
    // Before anything of the body is read: strangers without a key must not make us read it.
    scope.addHook('onRequest', async (request, reply) => {
      const key = keyIn(request);
      request.caller = key === undefined ? null : await callerOfKey(key, request.ip);
      if (!request.caller) return answer(request, reply, undefined);
    });
    // The protocol has its own answers to what cannot be read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body);
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: path,
      bodyLimit: bodyBytesMax,
      config: { auth: 'public' },
      handler: async (request, reply) => {
        let answered: ReturnType<typeof answer> | undefined;
        // A tool may wait for a verdict, and only its beginning keeps the event loop busy.
        await turns.run(request.caller?.accountId ?? '', async () => {
          answered = answer(request, reply, keyIn(request));
          // It is awaited below; until then, a failure must not count as unhandled.
          answered.catch(() => undefined);
          await nextTurn();
        });
        return answered;
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
