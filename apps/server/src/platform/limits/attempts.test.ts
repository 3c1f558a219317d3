import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { takeAttempt } from './attempts.ts';

describe('takeAttempt', () => {
  let database: TestDatabase;
  const clock = movableClock();
  const secrets = createSecrets('a secret of at least thirty-two bytes');
  const attempt = (key: string, bucket = 'coupon') =>
    takeAttempt({ db: database.db, secrets, clock }, { bucket, key, max: 3, windowSeconds: 60 });

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  it('allows as many as the limit says, then tells how long to wait', async () => {
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await attempt('ann'));

    expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
    expect(answers[3]).toEqual({ allowed: false, retryAfterSeconds: 60 });
  });

  it('begins again when the window has ended, which refused attempts do not prolong', async () => {
    for (let i = 0; i < 5; i += 1) await attempt('dora');
    clock.advance({ seconds: 59 });
    expect(await attempt('dora')).toEqual({ allowed: false, retryAfterSeconds: 1 });

    clock.advance({ seconds: 1 });
    expect((await attempt('dora')).allowed).toBe(true);
  });

  it('does not go on with a window that a clock a day ahead has begun', async () => {
    clock.advance({ hours: 24 });
    for (let i = 0; i < 5; i += 1) await attempt('fast');
    clock.advance({ hours: -24 });

    expect((await attempt('fast')).allowed).toBe(true);
  });

  it('goes on with a window that a clock a little ahead has begun', async () => {
    clock.advance({ seconds: 10 });
    for (let i = 0; i < 3; i += 1) await attempt('hasty');
    clock.advance({ seconds: -10 });

    expect(await attempt('hasty')).toEqual({ allowed: false, retryAfterSeconds: 70 });
  });

  it('counts keys and buckets apart', async () => {
    for (let i = 0; i < 4; i += 1) await attempt('bob');

    expect((await attempt('bob')).allowed).toBe(false);
    expect((await attempt('cleo')).allowed).toBe(true);
    expect((await attempt('bob', 'api_key')).allowed).toBe(true);
  });

  it('lets exactly the limit through when all attempts come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => attempt('flood')));

    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3);
  });

  it('stores no key in the clear', async () => {
    await attempt('203.0.113.7');

    const rows = await database.db.selectFrom('attempts').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('203.0.113.7');
  });

  it('clears away windows that have ended', async () => {
    for (let i = 0; i < 5; i += 1) await attempt(`old ${i}`);
    clock.advance({ hours: 1 });
    await attempt('new');
    await attempt('newer');

    const left = await database.db.selectFrom('attempts').select('window_ends_at').execute();
    expect(left.every((row) => row.window_ends_at > clock.now())).toBe(true);
  });
});
