import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenClosed } from '../../platform/http/index.ts';
import type { ConcurrencyLimit } from '../../platform/limits/index.ts';

/** Other calls accept no longer body, unless the operator allows it. */
const shortBodyBytes = 64 * 1024;

/**
 * Limits how many files and long JSON lists one customer sends at once. Each file stays open, and each JSON list stays in
 * memory until it has arrived, so the limit applies before the body is read.
 */
export function limitUploads(scope: FastifyInstance, uploads: ConcurrencyLimit): void {
  scope.addHook('preParsing', async (request, reply) => {
    if (!request.caller || !(isForm(request) || mayBeLong(request))) return;
    whenClosed(reply.raw, uploads.take(request.caller.accountId));
  });
}

const isForm = ({ headers }: FastifyRequest): boolean => /^multipart\//i.test(headers['content-type'] ?? '');

function mayBeLong({ headers, routeOptions }: FastifyRequest): boolean {
  const bytesMax =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  return Math.min(bytesMax, routeOptions.bodyLimit) > shortBodyBytes;
}
