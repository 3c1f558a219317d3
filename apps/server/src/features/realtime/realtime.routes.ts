import { REALTIME_PATH } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { runSession, type SessionParts } from './socket-session.ts';

export interface RealtimeRouteOptions extends Omit<SessionParts, 'logger'> {
  readonly publicUrl: string;
}

/** Enough for a token in JSON, the only message that clients send. */
const messageBytesMax = 17_000;

/** How long browsers may take to close when we stop. */
const goodbyeMs = 2_000;

/** `app` is the instance below the API base. */
export async function registerRealtimeRoutes(
  app: FastifyInstance,
  options: RealtimeRouteOptions,
): Promise<void> {
  await app.register(import('@fastify/websocket'), {
    options: { maxPayload: messageBytesMax },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: function sayGoodbye(this: FastifyInstance, done: () => void) {
      const { clients } = this.websocketServer;
      for (const socket of clients) socket.close(1001, 'the server restarts');
      const cancel = options.schedule(() => {
        for (const socket of clients) socket.terminate();
      }, goodbyeMs);
      this.websocketServer.close(() => {
        cancel();
        done();
      });
    },
  });
  app.route({
    method: 'GET',
    url: REALTIME_PATH,
    // The token comes in the first message, because proxies log URLs.
    config: { auth: 'public' },
    // Browsers always send Origin. Programs send none, and have no cookies or other rights that a foreign page could misuse.
    preValidation: async ({ headers: { origin } }) => {
      if (origin !== undefined && origin !== options.publicUrl) throw new AppError('origin_not_allowed');
    },
    handler: async (_request, reply) => {
      reply.header('upgrade', 'websocket');
      throw new AppError('upgrade_required');
    },
    wsHandler: (socket, request) =>
      runSession(socket, { ...options, logger: request.log as SessionParts['logger'] }),
  });
}
