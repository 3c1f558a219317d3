import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../platform/database/migrate.ts';
import { createBareDatabase } from '../../testing/database.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** A folder with the migrations of the release before accounts had a table. */
async function migrationsBeforeAccounts(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < '0500');
  for (const name of names) await cp(join(migrations, name), join(folder, name));
  return folder;
}

/** A database of the release before, with a person who has settings and a key, and what brings it to this version. */
async function databaseOfBefore() {
  const database = await createBareDatabase();
  onTestFinished(() => database.drop());
  await migrate(database.url, await migrationsBeforeAccounts());
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const read = async (sql: string, parameters: unknown[] = []) => (await client.query(sql, parameters)).rows;
  /** As a process of that release does it. */
  const insertPerson = async (): Promise<string> => {
    const id = randomUUID();
    await client.query(
      `insert into users (id, first_name, last_name, email_address, created_at)
       values ($1, 'Ada', 'Lovelace', 'ada@example.com', '2026-03-01T12:00:00Z')`,
      [id],
    );
    return id;
  };
  const insertKey = (ownerId: string) =>
    client.query(
      `insert into api_keys (owner_id, id, key_hash, sealed_key, created_at)
       values ($1, gen_random_uuid(), gen_random_uuid()::text, 'sealed', now())`,
      [ownerId],
    );
  const accountOf = async (id: string) =>
    (
      await read(
        `select standing, guessing_enabled, retention_days, role, wants_list_mails, wants_balance_mails, wants_plan_mails
         from accounts join memberships on account_id = accounts.id where user_id = $1 and account_id = $1`,
        [id],
      )
    )[0];
  return { url: database.url, client, read, insertPerson, insertKey, accountOf };
}

const asOpened = {
  standing: 'open',
  guessing_enabled: false,
  retention_days: null,
  role: 'owner',
  wants_list_mails: true,
  wants_balance_mails: true,
  wants_plan_mails: true,
};

describe('an installation of the release before accounts', () => {
  it('gets an account for each person, which has its settings and owns its rows', async () => {
    const { url, client, read, insertPerson, insertKey, accountOf } = await databaseOfBefore();
    const [plain, special] = [await insertPerson(), await insertPerson()];
    await insertKey(special);
    await client.query(
      `update users set standing = 'held', guessing_enabled = true, retention_days = 30, wants_plan_mails = false where id = $1`,
      [special],
    );

    await migrate(url);

    expect(await accountOf(plain)).toEqual(asOpened);
    expect(await accountOf(special)).toEqual({
      ...asOpened,
      standing: 'held',
      guessing_enabled: true,
      retention_days: 30,
      wants_plan_mails: false,
    });
    await client.query('delete from accounts where id = $1', [special]);
    expect(await read('select * from api_keys')).toEqual([]);
    expect(await read(`select conname from pg_constraint where contype = 'f' and not convalidated`)).toEqual(
      [],
    );
  });

  it('keeps working while its processes run: they add people, change settings, read them and delete people', async () => {
    const { url, client, read, insertPerson, insertKey, accountOf } = await databaseOfBefore();
    await migrate(url);

    const id = await insertPerson();
    expect(await accountOf(id)).toEqual(asOpened);
    await insertKey(id);

    await client.query(
      `update users set standing = 'throttled', retention_days = 7, wants_list_mails = false where id = $1`,
      [id],
    );
    expect(await accountOf(id)).toEqual({
      ...asOpened,
      standing: 'throttled',
      retention_days: 7,
      wants_list_mails: false,
    });

    await client.query(`update accounts set standing = 'suspended', guessing_enabled = true`);
    await client.query('update memberships set wants_list_mails = true, wants_balance_mails = false');
    expect(
      await read(
        `select standing, guessing_enabled, retention_days, wants_list_mails, wants_balance_mails from users`,
      ),
    ).toEqual([
      {
        standing: 'suspended',
        guessing_enabled: true,
        retention_days: 7,
        wants_list_mails: true,
        wants_balance_mails: false,
      },
    ]);

    await client.query('delete from users where id = $1', [id]);
    expect(await read('select id from accounts union all select owner_id from api_keys')).toEqual([]);
    expect(await read('select kind, id from deletions_to_log')).toEqual([{ kind: 'account', id }]);
  });
});

it('rows belong to accounts, and only what a person has belongs to the person', async () => {
  const { url, read } = await databaseOfBefore();
  const tablesReferringTo = async (table: string): Promise<string[]> =>
    (
      await read(
        `select conrelid::regclass::text as name from pg_constraint
         where contype = 'f' and confrelid = $1::regclass order by 1`,
        [table],
      )
    ).map(({ name }) => name);
  const ofPeople = ['operators', 'user_identities'];
  const owned = (await tablesReferringTo('users')).filter((name) => !ofPeople.includes(name));

  await migrate(url);

  expect(owned.length).toBeGreaterThan(15);
  expect(await tablesReferringTo('accounts')).toEqual(expect.arrayContaining(['memberships', ...owned]));
  const left = await tablesReferringTo('users');
  expect(left.filter((name) => owned.includes(name))).toEqual([]);
});
