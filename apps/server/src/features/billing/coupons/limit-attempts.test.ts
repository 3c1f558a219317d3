import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import { movableClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { limitCouponAttempts } from './limit-attempts.ts';

describe('limitCouponAttempts', () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const unused = () => randomUUID();
  const attempt = (by: { userId: string; network: string }) =>
    limitCouponAttempts({ db: database.db, clock, secrets: createSecrets('x'.repeat(32)) }, by);

  it('allows a customer ten attempts in ten minutes, from any network', async () => {
    const userId = unused();
    for (let count = 0; count < 10; count += 1) await attempt({ userId, network: unused() });

    await expect(attempt({ userId, network: unused() })).rejects.toMatchObject({
      code: 'too_many_requests',
      meta: { retry_after_seconds: 600 },
    });
    await attempt({ userId: unused(), network: unused() });
    clock.advance({ minutes: 10 });
    await attempt({ userId, network: unused() });
  });

  it('allows a network sixty attempts in ten minutes, from any customers', async () => {
    const network = unused();
    for (let count = 0; count < 60; count += 1) await attempt({ userId: unused(), network });

    await expect(attempt({ userId: unused(), network })).rejects.toMatchObject({ code: 'too_many_requests' });
    await attempt({ userId: unused(), network: unused() });
    clock.advance({ minutes: 10 });
    await attempt({ userId: unused(), network });
  });

  it.each([
    [{ minutes: 3, seconds: 30 }, '7 minutes'],
    [{ minutes: 8 }, '2 minutes'],
    [{ minutes: 9 }, 'a minute'],
    [{ minutes: 9, seconds: 30 }, 'a minute'],
  ])('names the time to wait %o after the first attempt: %s', async (later, wait) => {
    const userId = unused();
    for (let count = 0; count < 10; count += 1) await attempt({ userId, network: unused() });
    clock.advance(later);

    await expect(attempt({ userId, network: unused() })).rejects.toMatchObject({
      message: `Too many codes were tried, so this one was not checked. Try it again in ${wait}.`,
    });
  });
});
