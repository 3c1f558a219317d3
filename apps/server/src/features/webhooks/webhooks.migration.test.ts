import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { createBareDatabase } from '../../testing/database.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** A folder with the migrations before this number. */
async function migrationsBefore(number: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < number);
  for (const name of names) await cp(join(migrations, name), join(folder, name));
  return folder;
}

it('a webhook of the release before keeps its events, its log and its numbers, and those of its processes', async () => {
  const database = await createBareDatabase();
  onTestFinished(() => database.drop());
  await migrate(database.url, await migrationsBefore('0460'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const [ownerId, webhookId] = [randomUUID(), randomUUID()];
  await client.query(
    `insert into users (id, first_name, last_name, email_address, created_at)
     values ($1, 'Ada', 'Lovelace', 'ada@example.com', now())`,
    [ownerId],
  );
  await client.query(
    `insert into webhooks (owner_id, id, url, sealed_secret, created_at, last_number)
     values ($1, $2, 'https://hooks.example/', 'sealed', now(), 2)`,
    [ownerId, webhookId],
  );
  /** As that release writes it. */
  const insertDelivery = (number: number, status: string) =>
    client.query(
      `insert into webhook_deliveries (owner_id, number, id, event_id, event_type, body, is_in_order, status, created_at, last_attempt_at)
       values ($1, $2, $3, 'msg', 'list.completed', '{}', true, $4, now(), '2026-11-01T00:00:00Z')`,
      [ownerId, number, randomUUID(), status],
    );
  await insertDelivery(1, 'DELIVERED');
  await insertDelivery(2, 'PENDING');
  await insertDelivery(3, 'PENDING');
  const webhookIds = async () =>
    (await client.query('select webhook_id from webhook_deliveries order by number')).rows.map(
      ({ webhook_id }) => webhook_id,
    );

  await migrate(database.url, await migrationsBefore('0461'));
  await client.query("update webhook_deliveries set status = 'DELIVERED' where number = 3");
  await insertDelivery(4, 'PENDING');
  expect(await webhookIds()).toEqual([null, null, webhookId, webhookId]);

  await migrate(database.url);
  await insertDelivery(5, 'PENDING');
  expect(await webhookIds()).toEqual(Array(5).fill(webhookId));

  const { rows } = await client.query('select event_types from webhooks');
  expect(rows).toEqual([
    { event_types: ['email_validation.completed', 'list.completed', 'list.failed', 'balance.low'] },
  ]);
  const unchecked = await client.query(
    "select conname from pg_constraint where conrelid = 'webhook_deliveries'::regclass and not convalidated",
  );
  expect(unchecked.rows).toEqual([]);
  await client.query('delete from webhooks');
  expect(await webhookIds()).toEqual([]);
});
