import type { FastifyInstance } from 'fastify';
import { whenClosed } from '../../../platform/http/index.ts';
import type { Places } from '../../../platform/limits/index.ts';

/** Bounds how many forms with files one customer sends at once: each keeps a file open, and some of it in memory. */
export function limitUploads(scope: FastifyInstance, uploads: Places): void {
  scope.addHook('preHandler', async (request, reply) => {
    if (!request.customer || !request.isMultipart()) return;
    whenClosed(reply.raw, uploads.take(request.customer.userId));
  });
}
