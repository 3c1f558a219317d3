import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBareDatabase } from '../../../testing/database.ts';
import { readSchema } from './read-schema.ts';

let database: Awaited<ReturnType<typeof createBareDatabase>>;
let client: pg.Client;
beforeAll(async () => {
  database = await createBareDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('leaves what extensions make to the extensions', async () => {
  // Aggregates and types of rows.
  const extensions = ['citext', 'tablefunc'];
  for (const name of extensions) await client.query(`create extension ${name}`);
  // Only superusers may create extensions with views and domains, as the monitoring of managed servers has them.
  await client.query('create view seen as select 1; alter extension citext add view seen');
  await client.query('create domain word as text; alter extension citext add domain word');
  await client.query('create table ours (name citext)');

  const { before, tables, after } = await readSchema(client);

  expect(before).toEqual([
    ...extensions.map((name) => `create extension if not exists ${name} with schema public`),
    'create table public.ours (name citext)',
  ]);
  expect(tables).toEqual([{ name: 'public.ours', columns: ['name'] }]);
  expect(after).toEqual([]);
});
