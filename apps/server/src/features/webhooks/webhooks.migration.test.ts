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

/** The migrations of the release before. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < '0460');
  for (const name of names) await cp(join(migrations, name), join(folder, name));
  return folder;
}

it('a webhook of the release before keeps its events, its log and its numbers, and those of its processes', async () => {
  const database = await createBareDatabase();
  onTestFinished(() => database.drop());
  await migrate(database.url, await earlierMigrations());
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

  await migrate(database.url);
  await insertDelivery(3, 'PENDING');

  const { rows } = await client.query('select event_types, last_delivered_at from webhooks');
  expect(rows).toEqual([
    {
      event_types: ['email_validation.completed', 'list.completed', 'list.failed', 'balance.low'],
      last_delivered_at: new Date('2026-11-01T00:00:00Z'),
    },
  ]);
  const kept = await client.query('select number::int, webhook_id from webhook_deliveries order by number');
  expect(kept.rows).toEqual([1, 2, 3].map((number) => ({ number, webhook_id: webhookId })));
});
