import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createIdentityFinder } from './find-identities.ts';

describe('calls that share a lookup', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => database.close());

  const newLookup = () => ({
    issuer: 'https://identity.example',
    subject: randomUUID(),
    sessionKey: 'sid s1',
  });

  it('are answered over another connection when theirs breaks', async () => {
    const find = createIdentityFinder(database.db);
    vi.spyOn(database.pool, 'connect').mockImplementationOnce(() => Promise.reject(new Error('broken')));

    expect(await Promise.all([find(newLookup()), find(newLookup())])).toEqual([undefined, undefined]);
  });

  it('503 when the database falls silent, and later calls are answered', async () => {
    const late = Promise.withResolvers<() => void>();
    const find = createIdentityFinder(database.db, (task) => {
      late.resolve(task);
      return () => {};
    });
    vi.spyOn(database.pool, 'connect').mockImplementationOnce(() => new Promise(() => {}));
    const first = find(newLookup());
    (await late.promise)();

    await expect(first).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await find(newLookup())).toBeUndefined();
  });
});
