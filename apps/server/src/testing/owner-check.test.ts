import { sql } from 'kysely';
import { to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { checkOwners, findTablesWithoutOwner } from './owner-check.ts';

describe('the check of owners', () => {
  it.each([
    ['a condition', 'select from outcomes where owner_id = $1'],
    ['several owners', 'select from outcomes where owner_id = any($1::uuid[])'],
    ['a join', 'select from wallets join subscriptions using (owner_id) where wallets.owner_id = $1'],
    [
      'a join of several',
      'select from wallets join holds using (owner_id) where holds.owner_id = any($1::uuid[])',
    ],
    [
      'a subquery',
      "select from wallets where owner_id = $1 and exists (select from holds where holds.owner_id = wallets.owner_id and status = 'held')",
    ],
    [
      'a lateral join with values',
      'select from unnest($1::uuid[]) as key (id) cross join lateral (select from wallets where owner_id = key.id limit 1) as wallet',
    ],
    [
      'a part',
      'with own as materialized (select * from holds where owner_id = $1) select from own where reference = $2',
    ],
    ['an update', 'update wallets set balance = 0 where owner_id = $1'],
    ['an insert', 'insert into balance_alerts (owner_id, threshold) select $1, $2'],
    [
      'a partitioned table',
      'select from list_rows where owner_id = $1 and list_id = $2 and row_number = any($3::int[])',
    ],
    ['a unique key', 'select from api_keys where key_hash = $1'],
    ['one of two unique keys', 'select from scoped_api_keys where key_hash = $1 or previous_hash = $1'],
    ['an alias that is a word of SQL', 'select from list_rows row where row.owner_id = $1'],
    [
      'a copy',
      "copy (select 1 from wallets where owner_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff') to stdout",
    ],
    [
      'a partition of a large list',
      `select from list_rows_${'0f'.repeat(16)} where owner_id = $1 and list_id = $2`,
    ],
    ['accounts', 'select from accounts where id = $1'],
    ['tables of nobody', 'select from coupons'],
    ['no table', 'begin'],
  ])('accepts %s', async (_, statement) => {
    expect(await findTablesWithoutOwner(statement)).toEqual([]);
  });

  it.each([
    ['another column', 'select from outcomes where number = $1', ['outcomes']],
    ['any owner but one', 'select from outcomes where owner_id <> $1', ['outcomes']],
    ['one of two conditions', 'select from outcomes where owner_id = $1 or number = $2', ['outcomes']],
    [
      'a join of all',
      'select from wallets join subscriptions using (owner_id)',
      ['subscriptions', 'wallets'],
    ],
    [
      'one of two tables',
      'select from wallets join holds on holds.reference = $2 where wallets.owner_id = $1',
      ['holds'],
    ],
    [
      'a subquery',
      "select from wallets where owner_id = $1 and exists (select from holds where status = 'held')",
      ['holds'],
    ],
    ['an update', 'update wallets set balance = 0', ['wallets']],
    ['a deletion', 'delete from webhooks where id = $1', ['webhooks']],
    [
      'rows to insert',
      'insert into balance_alerts (owner_id, threshold) select owner_id, 1 from wallets',
      ['wallets'],
    ],
    ['a partitioned table', 'select from list_rows where list_id = $1', ['list_rows']],
    ['a copy', 'copy (select 1 from wallets) to stdout', ['wallets']],
    ['a partition of a large list', `select from list_rows_${'0f'.repeat(16)}`, ['list_rows']],
  ])('refuses %s without the owner', async (_, statement, tables) => {
    expect([...new Set(await findTablesWithoutOwner(statement))].sort()).toEqual(tables);
  });
});

describe('a database with the check', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  it('runs statements that name the owner', async () => {
    const { checked, end } = checkOwners(database.pool);
    await checked.db
      .transaction()
      .execute((tx) => sql`select from wallets where owner_id = null`.execute(tx));
    await end();
  });

  it('fails others, and at its end', async () => {
    const { checked, end } = checkOwners(database.pool);
    await expect(sql`select from wallets`.execute(checked.db)).rejects.toThrow('wallets without the owner');
    await expect(end()).rejects.toThrow('wallets without the owner');
  });

  it('fails at its end for a copy', async () => {
    const { checked, end } = checkOwners(database.pool);
    const client = await checked.pool.connect();
    await client.query(copyTo('copy (select 1 from holds) to stdout')).toArray();
    client.release();
    await expect(end()).rejects.toThrow('holds without the owner');
  });
});
