import { afterAll, describe, expect, it } from 'vitest';
import { readScaleTables } from '../../../../../scripts/lib/scale-tables.ts';
import { createTestDatabase } from '../../testing/database.ts';

const database = await createTestDatabase();
afterAll(() => database.close());

const page = readScaleTables();

const { rows } = await database.pool.query<{
  name: string;
  has_owner: boolean;
  is_unique_per_owner: boolean;
}>(`
  select relname as name,
    exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'owner_id') as has_owner,
    not exists (
      select from pg_index where indrelid = pg_class.oid and indisunique and not exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attname = 'owner_id' and attnum = any(indkey::int2[])
      )
    ) as is_unique_per_owner
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);

describe('the page about scale', () => {
  it('names tables that exist, each once', () => {
    const named = page.map(({ table }) => table);
    expect(new Set(named).size).toBe(named.length);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  });

  it('calls those tables ready for distribution by owner_id whose unique keys all hold it', () => {
    const ready = rows.filter(({ has_owner, is_unique_per_owner }) => has_owner && is_unique_per_owner);
    const asTheyAre = page.flatMap(({ table, remark }) => (remark.startsWith('as they are') ? [table] : []));
    expect(asTheyAre.length).toBeGreaterThan(20);
    expect(ready.map(({ name }) => name)).toEqual(expect.arrayContaining(asTheyAre));
  });
});
