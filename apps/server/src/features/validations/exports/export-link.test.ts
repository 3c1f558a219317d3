import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ExportOrder, readExport, signExport } from './export-link.ts';

const key = randomBytes(32);
const now = new Date('2026-11-15T12:00:00Z');
const order: ExportOrder = {
  ownerId: randomUUID(),
  listId: randomUUID(),
  verdicts: ['VALID'],
  rows: 'distinct',
  expiresAt: now.getTime() + 1_000,
};

describe('the link to an export', () => {
  it('stands for just what was asked', () => {
    expect(readExport(key, signExport(key, order), now)).toEqual(order);
  });

  it('410 once it has expired', () => {
    const link = signExport(key, order);

    expect(() => readExport(key, link, new Date(order.expiresAt))).toThrow(
      expect.objectContaining({ code: 'export_expired', status: 410 }),
    );
  });

  it('404 when anything in it was changed, or another key signed it', () => {
    const [payload = '', signature = ''] = signExport(key, order).split('.');
    const forged = Buffer.from(JSON.stringify({ ...order, ownerId: randomUUID() })).toString('base64url');
    const links = [`${forged}.${signature}`, `${payload}.`, payload, '', signExport(randomBytes(32), order)];

    for (const link of links) {
      expect(() => readExport(key, link, now)).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
  });
});
