import { createHmac, timingSafeEqual } from 'node:crypto';
import { VERDICTS, type Verdict } from '@assay/contract';
import * as z from 'zod/mini';
import { AppError } from '../../../platform/errors/index.ts';

/** What a link stands for: whoever holds it may download just this, until it expires. */
const exportSchema = z.strictObject({
  ownerId: z.uuid(),
  listId: z.uuid(),
  verdicts: z.array(z.enum(VERDICTS)),
  rows: z.enum(['distinct', 'all']),
  expiresAt: z.number(),
});
export type ExportOrder = z.output<typeof exportSchema>;

export const exportLinkMs = 3_600_000;

export function signExport(
  key: Buffer,
  order: ExportOrder & { readonly verdicts: readonly Verdict[] },
): string {
  const payload = Buffer.from(JSON.stringify(order)).toString('base64url');
  return `${payload}.${signatureOf(key, payload)}`;
}

/** A link that was tampered with does not exist; one that was good once says that it has expired. */
export function readExport(key: Buffer, token: string, now: Date): ExportOrder {
  const [payload = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(key, payload));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw new AppError('not_found');

  const order = exportSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (order.expiresAt <= now.getTime()) throw new AppError('export_expired');
  return order;
}

const signatureOf = (key: Buffer, payload: string): string =>
  createHmac('sha256', key).update(payload).digest('base64url');
