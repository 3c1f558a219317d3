import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readOrder, signOrder } from './signed-order.ts';

const key = randomBytes(32);
const now = new Date('2026-11-15T12:00:00Z');
const schema = z.strictObject({ ownerId: z.uuid(), expiresAt: z.number() });
const order = {
  ownerId: randomUUID(),
  expiresAt: now.getTime() + 1_000,
};

describe('an order in a link', () => {
  it('contains exactly what was signed', () => {
    expect(readOrder(key, signOrder(key, order), schema, now)).toEqual(order);
  });

  it('410 once it has expired', () => {
    const link = signOrder(key, order);

    expect(() => readOrder(key, link, schema, new Date(order.expiresAt))).toThrow(
      expect.objectContaining({ code: 'export_expired', status: 410 }),
    );
  });

  it('404 when anything in it was changed, or another key signed it', () => {
    const [payload = '', signature = ''] = signOrder(key, order).split('.');
    const forged = Buffer.from(JSON.stringify({ ...order, ownerId: randomUUID() })).toString('base64url');
    const links = [`${forged}.${signature}`, `${payload}.`, payload, '', signOrder(randomBytes(32), order)];

    for (const link of links) {
      expect(() => readOrder(key, link, schema, now)).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
  });
});
