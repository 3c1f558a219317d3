import type { Readable } from 'node:stream';
import { API_BASE } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { type Order, readOrder, signOrder } from '../crypto/signed-order.ts';
import { attachment } from './attachment.ts';

/** Long enough for a large file on a slow line to begin, short enough that a link that is passed on is soon worth nothing. */
const linkMs = 3_600_000;

interface LinkedFiles<Kind extends Order> {
  /** Where the files are, below the API base. */
  readonly path: string;
  readonly order: z.ZodMiniType<Kind>;
  readonly key: Buffer;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly open: (order: Kind) => Promise<{ readonly name: string; readonly contents: string | Readable }>;
}

/**
 * CSV files behind signed links, and the way to make such a link. They are no calls of the contract: a browser follows
 * the link without a token, and the answer is a file.
 */
export function serveLinkedFiles<Kind extends Order>(
  app: FastifyInstance,
  { path, order: orderSchema, key, publicUrl, clock, open }: LinkedFiles<Kind>,
): (order: Omit<Kind, 'expiresAt'>) => string {
  app.get(
    path,
    {
      config: { auth: 'public' },
      schema: { querystring: z.strictObject({ order: z.string() }), hide: true },
    },
    async (request, reply) => {
      const { order: token } = request.query as { order: string };
      const { name, contents } = await open(readOrder(key, token, orderSchema, clock.now()));
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', attachment(name))
        .header('x-content-type-options', 'nosniff');
      return reply.send(contents);
    },
  );
  return (order) => {
    const token = signOrder(key, { ...order, expiresAt: clock.now().getTime() + linkMs });
    return `${publicUrl}${API_BASE}${path}?order=${token}`;
  };
}
