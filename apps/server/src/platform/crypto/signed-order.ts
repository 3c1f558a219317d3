import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod/mini';
import { AppError } from '../errors/index.ts';

/** What a link grants to its holder until it expires. */
export interface Order {
  readonly expiresAt: number;
}

/** An order as text that may travel in a link, with a signature that only we can make. */
export function signOrder<Kind extends Order>(key: Buffer, order: Kind): string {
  const payload = Buffer.from(JSON.stringify(order)).toString('base64url');
  return `${payload}.${signatureOf(key, payload)}`;
}

/** A link that was tampered with does not exist; one that was good once says that it has expired. */
export function readOrder<Kind extends Order>(
  key: Buffer,
  token: string,
  schema: z.ZodMiniType<Kind>,
  now: Date,
): Kind {
  const [payload = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf(key, payload));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw damaged();

  const order = schema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (order.expiresAt <= now.getTime()) throw new AppError('export_expired');
  return order;
}

const damaged = (): AppError =>
  new AppError(
    'not_found',
    {},
    { text: 'This link is damaged or incomplete. Copy all of it and try again.' },
  );

const signatureOf = (key: Buffer, payload: string): string =>
  createHmac('sha256', key).update(payload).digest('base64url');
