import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import '../limits/attempts.tables.ts';
import { findPage } from './find-page.ts';

describe('findPage', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    const window_ends_at = new Date();
    await database.db
      .insertInto('attempts')
      .values(
        ['a', 'b', 'c', 'd', 'e'].map((bucket) => ({ bucket, key_hash: 'x', tried: 1, window_ends_at })),
      )
      .execute();
  });
  afterAll(() => database.close());

  const pageOf = (page_number: number, from = 'a') =>
    findPage(
      database.db.selectFrom('attempts').select('bucket').where('bucket', '>=', from).orderBy('bucket'),
      { page_size: 2, page_number },
    );

  it('finds the rows of one page and counts those of all pages', async () => {
    expect(await pageOf(1)).toMatchObject({ rows: [{ bucket: 'a' }, { bucket: 'b' }], total: 5 });
    expect(await pageOf(3)).toMatchObject({ rows: [{ bucket: 'e' }], total: 5 });
  });

  it('counts the rows also for a page behind the last', async () => {
    expect(await pageOf(4)).toEqual({ rows: [], total: 5 });
  });

  it('finds nothing where there is nothing', async () => {
    expect(await pageOf(1, 'z')).toEqual({ rows: [], total: 0 });
    expect(await pageOf(2, 'z')).toEqual({ rows: [], total: 0 });
  });

  it('takes one statement for a page with rows', async () => {
    let statements = 0;
    database.pool.on('acquire', () => {
      statements += 1;
    });

    await pageOf(1);

    expect(statements).toBe(1);
  });
});
