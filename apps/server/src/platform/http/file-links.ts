import { API_BASE, type ExportFormat } from '@assay/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Clock, Schedule } from '../clock.ts';
import { type Order, readOrder, signOrder } from '../crypto/signed-order.ts';
import { onBehalfOf } from '../database/fair-pool.ts';
import type { AccountId } from '../ids.ts';
import type { ConcurrencyLimit } from '../limits/index.ts';
import { attachment } from './attachment.ts';
import { pacedFile } from './paced.ts';
import { clientSignal, whenClosed } from './when-closed.ts';

/** Long enough for a large file on a slow line to begin, short enough that a link that is passed on is soon worth nothing. */
const linkMs = 3_600_000;

/** An order says whose file it is, since the link carries no token. */
interface FileOrder extends Order {
  readonly ownerId: AccountId;
  /** CSV unless given. */
  readonly format?: FileFormat;
}

export interface LinkParts extends FileSending {
  readonly publicUrl: string;
  readonly clock: Clock;
}

interface LinkedFiles<Kind extends FileOrder> {
  /** Where the files are, below the API base. */
  readonly path: string;
  readonly order: z.ZodMiniType<Kind>;
  readonly key: Buffer;
  /** The signal aborts when the client is gone. */
  readonly open: (order: Kind, signal: AbortSignal) => Promise<LinkedFile>;
}

type FileFormat = ExportFormat | 'zip';

const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

interface FileSending {
  readonly schedule: Schedule;
  /** The downloads that each customer may have open. */
  readonly downloads: Pick<ConcurrencyLimit, 'take'>;
}

export interface LinkedFile {
  readonly name: string;
  /** Contents that stream must not hold a database connection between two pieces: the client sets their pace. */
  readonly contents: string | AsyncIterable<Buffer>;
}

/** Answers with a file of a customer, at the pace of the client. */
export async function sendFile(
  reply: FastifyReply,
  { schedule, downloads }: FileSending,
  { ownerId, format = 'csv' }: Pick<FileOrder, 'ownerId' | 'format'>,
  open: (signal: AbortSignal) => Promise<LinkedFile>,
): Promise<FastifyReply> {
  const leave = downloads.take(ownerId);
  whenClosed(reply.raw, leave);
  const { name, contents } = await open(clientSignal(reply));
  const { stream, end } = pacedFile(contents, { schedule, cut: () => reply.raw.destroy() });
  whenClosed(reply.raw, end);
  reply
    .type(contentTypes[format])
    .header('content-disposition', attachment(name, format))
    .header('x-content-type-options', 'nosniff');
  return reply.send(stream);
}

/**
 * Files behind signed links, and the way to make such a link. They are no calls of the contract: a browser follows
 * the link without a token, and the answer is a file.
 */
export function serveLinkedFiles<Kind extends FileOrder>(
  app: FastifyInstance,
  { publicUrl, clock, ...sending }: LinkParts,
  { path, order: orderSchema, key, open }: LinkedFiles<Kind>,
): (order: Omit<Kind, 'expiresAt'>) => string {
  app.get(
    path,
    {
      config: { auth: 'public', isOpenedByPeople: true },
      schema: { querystring: z.strictObject({ order: z.string() }), hide: true },
    },
    async (request, reply) => {
      const { order: token } = request.query as { order: string };
      const order = readOrder(key, token, orderSchema, clock.now());
      return onBehalfOf(order.ownerId, () =>
        sendFile(reply, sending, order, (signal) => open(order, signal)),
      );
    },
  );
  return (order) => {
    const token = signOrder(key, { ...order, expiresAt: clock.now().getTime() + linkMs });
    return `${publicUrl}${API_BASE}${path}?order=${token}`;
  };
}
