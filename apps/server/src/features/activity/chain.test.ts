import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ActivityKind } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run as runActivity } from '../../commands/activity.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { expireActivities } from './activity.store.ts';
import {
  closeActivities,
  eraseActivities,
  forgetListNames,
  recordActivity,
  verifyActivities,
} from './index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const { signal } = new AbortController();
const msPerDay = 86_400_000;
const source = { address: '192.0.2.7', agent: 'curl/8' };

/** A customer whose log has this many entries, each a minute after the other. */
async function withEntries(count: number, { daysAgo = 0 } = {}): Promise<string> {
  const accountId = randomUUID();
  for (let index = 0; index < count; index += 1) {
    const now = new Date(Date.now() - daysAgo * msPerDay + index * 60_000);
    await recordActivity(
      database.db,
      { accountId, source },
      { kind: 'export.created', list: { id: randomUUID(), name: `list ${index}`, created_at: now }, now },
    );
  }
  return accountId;
}

const entriesOf = async (accountId: string) =>
  (
    await database.pool.query(
      'select number, contents, salt, list_name, list_name_salt from activity_entries where owner_id = $1 order by number',
      [accountId],
    )
  ).rows;

/** Does what the triggers refuse, as an owner of the database could. */
async function tamper(statement: string, accountId: string): Promise<void> {
  const tables = ['activity_entries', 'activity_chains'];
  const switchTriggers = (state: string) =>
    tables.map((table) => `alter table ${table} ${state} trigger user;`).join('');
  await database.pool.query(
    `begin; ${switchTriggers('disable')} ${statement.replaceAll('$1', `'${accountId}'`)}; ${switchTriggers('enable')} commit;`,
  );
}

describe('the activity log', () => {
  it('refuses to be changed, emptied or shortened', async () => {
    const accountId = await withEntries(2);
    for (const statement of [
      `update activity_entries set contents = '{}' where owner_id = '${accountId}'`,
      `update activity_entries set contents = null, salt = null where owner_id = '${accountId}'`,
      `update activity_entries set recorded_at = now() where owner_id = '${accountId}'`,
      `update activity_entries set list_name = 'other' where owner_id = '${accountId}'`,
      `update activity_entries set list_name = null, list_name_salt = null, contents = '{}' where owner_id = '${accountId}'`,
      `update activity_entries set list_name = null, list_name_salt = null where owner_id = '${accountId}'`,
      `delete from activity_entries where owner_id = '${accountId}'`,
      `update activity_chains set last_number = 0 where owner_id = '${accountId}'`,
      `delete from activity_chains where owner_id = '${accountId}'`,
      'truncate activity_entries',
      'truncate activity_chains',
    ]) {
      await expect(database.pool.query(statement), statement).rejects.toThrow('The activity log only grows.');
    }

    expect(await verifyActivities(database.db, accountId)).toEqual({ chains: 1, entries: 2, broken: [] });
  });

  it('stays one chain when fifty transactions add to it at the same time', async () => {
    const accountId = randomUUID();
    await Promise.all(
      Array.from({ length: 50 }, () =>
        database.db
          .transaction()
          .execute((tx) =>
            recordActivity(tx, { accountId, source }, { kind: 'export.created', now: new Date() }),
          ),
      ),
    );

    expect((await entriesOf(accountId)).map(({ number }) => number)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect((await verifyActivities(database.db, accountId)).broken).toEqual([]);
  });

  it('has no gap after a transaction that was rolled back', async () => {
    const accountId = await withEntries(1);
    const failing = database.db.transaction().execute(async (tx) => {
      await recordActivity(tx, { accountId }, { kind: 'deletion.list', now: new Date() });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await recordActivity(database.db, { accountId }, { kind: 'plan.changed', now: new Date() });

    expect(await entriesOf(accountId)).toMatchObject([
      { number: 1 },
      { number: 2, contents: { by: 'assay' } },
    ]);
    expect((await verifyActivities(database.db, accountId)).broken).toEqual([]);
  });

  it('loses the contents of entries after a year, and still verifies', async () => {
    const accountId = await withEntries(2, { daysAgo: 366 });
    await recordActivity(database.db, { accountId }, { kind: 'plan.changed', now: new Date() });

    await expireActivities(database.db, signal);

    expect(await entriesOf(accountId)).toMatchObject([
      { contents: null, salt: null },
      { contents: null, salt: null },
      { contents: { kind: 'plan.changed' } },
    ]);
    expect((await verifyActivities(database.db, accountId)).broken).toEqual([]);
  });

  it('loses the names of old lists that were deleted, keeps the rest of their entries, and still verifies', async () => {
    const accountId = await withEntries(1, { daysAgo: 8 });
    const now = new Date();
    const eightDaysAgo = new Date(now.getTime() - 8 * msPerDay);
    const old = { id: randomUUID(), name: 'old list', created_at: eightDaysAgo };
    const recent = { id: randomUUID(), name: 'recent list', created_at: now };
    const record = (kind: ActivityKind, list: typeof old) =>
      recordActivity(database.db, { accountId, source }, { kind, list, now });
    await record('export.created', old);
    await record('deletion.list', old);
    await record('deletion.list', recent);

    await forgetListNames(database.db, {
      ownerId: accountId,
      before: new Date(now.getTime() - 7 * msPerDay),
    });

    expect(await entriesOf(accountId)).toMatchObject([
      // Too old, but it was not deleted.
      { list_name: 'list 0', contents: { kind: 'export.created' } },
      {
        list_name: null,
        list_name_salt: null,
        contents: { kind: 'export.created', list: { id: old.id }, address: source.address },
      },
      { list_name: null, list_name_salt: null, contents: { kind: 'deletion.list', list: { id: old.id } } },
      { list_name: 'recent list', contents: { kind: 'deletion.list', list: { id: recent.id } } },
    ]);
    expect((await verifyActivities(database.db, accountId)).broken).toEqual([]);
  });

  it('is not closed, and loses nothing, while its account exists', async () => {
    const accountId = await withEntries(2);
    await database.pool.query(
      "insert into users (id, first_name, last_name, email_address, created_at) values ($1, '', '', 'jane@example.com', now())",
      [accountId],
    );

    await expect(closeActivities(database.db, accountId, new Date())).rejects.toThrow(
      'The activity log only grows.',
    );
    await tamper('update activity_chains set erased_at = now() where owner_id = $1', accountId);
    expect((await verifyActivities(database.db, accountId)).broken).toEqual([
      { ownerId: accountId, number: 2, problem: 'log_closed' },
    ]);
    await expect(eraseActivities(database.db, accountId, signal)).rejects.toThrow(
      'The activity log only grows.',
    );
    await tamper('update activity_entries set contents = null, salt = null where owner_id = $1', accountId);
    expect((await verifyActivities(database.db, accountId)).broken).toEqual([
      { ownerId: accountId, number: 1, problem: 'contents_removed' },
    ]);
  });

  it('loses all contents with the account, takes no entry afterwards, and still verifies', async () => {
    const accountId = await withEntries(3);
    await closeActivities(database.db, accountId, new Date());
    await recordActivity(database.db, { accountId, source }, { kind: 'export.created', now: new Date() });
    await eraseActivities(database.db, accountId, signal);

    expect(
      (await entriesOf(accountId)).map(({ contents, salt, list_name }) => [contents, salt, list_name]),
    ).toEqual(Array(3).fill([null, null, null]));
    expect(await verifyActivities(database.db, accountId)).toEqual({ chains: 1, entries: 3, broken: [] });
  });

  it('of an account without entries can be closed too', async () => {
    const accountId = randomUUID();
    await closeActivities(database.db, accountId, new Date());
    await closeActivities(database.db, accountId, new Date());
    await recordActivity(database.db, { accountId }, { kind: 'plan.changed', now: new Date() });

    expect(await entriesOf(accountId)).toEqual([]);
  });
});

describe('the migration of entries that have the name of a list among their contents', () => {
  const migration = readFileSync(
    new URL('../../../migrations/0311_list_names_in_old_activity.sql', import.meta.url),
    'utf8',
  );
  /** As versions before 0266 wrote them, between entries that are not about a list. */
  async function withOldEntries(): Promise<string> {
    const accountId = randomUUID();
    const record = (kind: ActivityKind, about: string) =>
      recordActivity(database.db, { accountId, source }, { kind, about, now: new Date() });
    await record('webhook.created', 'hooks.example');
    await record('export.created', 'Spring customers');
    await record('export.created', 'Single verifications');
    await record('export.shared', 'Spring customers');
    await record('deletion.list', 'Spring customers');
    await record('setting.retention', '7 days');
    return accountId;
  }
  const aboutOf = async (accountId: string) =>
    (await entriesOf(accountId)).map(({ contents }) => contents.about);

  it('removes the names, keeps everything else, and the log verifies and goes on', async () => {
    const accountId = await withOldEntries();
    const untouched = await withEntries(2);
    const before = await entriesOf(accountId);

    await database.pool.query(migration);
    await database.pool.query(migration);
    await recordActivity(database.db, { accountId }, { kind: 'plan.changed', now: new Date() });

    const after = (await entriesOf(accountId)).slice(0, before.length);
    expect(after.map(({ contents }) => contents.about)).toEqual([
      'hooks.example',
      'A list',
      'Single verifications',
      'A list',
      'A list',
      '7 days',
    ]);
    const withoutAbout = (entries: typeof before) =>
      entries.map((entry) => ({ ...entry, contents: { ...entry.contents, about: undefined } }));
    expect(withoutAbout(after)).toEqual(withoutAbout(before));
    expect(await verifyActivities(database.db, accountId)).toEqual({ chains: 1, entries: 7, broken: [] });
    expect((await verifyActivities(database.db, untouched)).broken).toEqual([]);
    await expect(
      database.pool.query(`delete from activity_entries where owner_id = '${accountId}'`),
    ).rejects.toThrow('The activity log only grows.');
  });

  it.each([
    ['contents', `update activity_entries set contents = '{}' where owner_id = $1 and number = 6`],
    ['an entry', 'delete from activity_entries where owner_id = $1 and number = 1'],
    ['the newest entry', 'delete from activity_entries where owner_id = $1 and number = 6'],
    ['a salt', 'update activity_entries set salt = null where owner_id = $1 and number = 2'],
    ['the chain', 'delete from activity_chains where owner_id = $1'],
  ])('leaves a log alone that was changed before: %s', async (_, statement) => {
    const accountId = await withOldEntries();
    await tamper(statement, accountId);
    const [before, problem] = [await aboutOf(accountId), await verifyActivities(database.db, accountId)];

    await database.pool.query(migration);

    expect(await aboutOf(accountId)).toEqual(before);
    expect(await verifyActivities(database.db, accountId)).toEqual(problem);
    expect(problem.broken).not.toEqual([]);
  });
});

describe('assay activity verify', () => {
  const verify = async (...argv: string[]) => {
    const out: string[] = [];
    const write = (text: string) => out.push(text);
    const env = { DATABASE_URL: database.url };
    const code = await runActivity(['verify', ...argv], { env, stdout: { write }, stderr: { write } });
    return { code, out: out.join('') };
  };

  it('0 when all logs verify', async () => {
    const accountId = await withEntries(3);

    expect(await verify('--user', accountId)).toEqual({
      code: 0,
      out: 'The activity logs verify: 1 customers, 3 entries.\n',
    });
  });

  it.each([
    [
      'changed contents',
      `update activity_entries set contents = jsonb_set(contents, '{address}', '"198.51.100.1"') where owner_id = $1 and number = 2`,
      'entry 2 has other contents than it was written with',
    ],
    [
      'changed contents with a new hash of them',
      `update activity_entries set contents = '{}', list_name = null, contents_hash = sha256(salt || convert_to('{}', 'UTF8')) where owner_id = $1 and number = 2`,
      'entry 2 does not follow from the entry before it',
    ],
    [
      'another name of a list',
      `update activity_entries set list_name = 'other' where owner_id = $1 and number = 2`,
      'entry 2 has other contents than it was written with',
    ],
    [
      'the name of a list that was not deleted removed',
      'update activity_entries set list_name = null, list_name_salt = null where owner_id = $1 and number = 2',
      'entry 2 lost the name of a list that was not deleted',
    ],
    [
      'a name where there was none',
      `update activity_entries set contents = null, salt = null, list_name = 'x', recorded_at = now() - interval '2 years' where owner_id = $1 and number = 2`,
      'entry 2 has other contents than it was written with',
    ],
    [
      'a changed time',
      `update activity_entries set recorded_at = recorded_at - interval '1 hour' where owner_id = $1 and number = 3`,
      'entry 3 does not follow from the entry before it',
    ],
    [
      'contents that were removed early',
      'update activity_entries set contents = null, salt = null where owner_id = $1 and number = 1',
      'entry 1 lost its contents before its year was over',
    ],
    [
      'an entry that was removed',
      'delete from activity_entries where owner_id = $1 and number = 2',
      'entry 2 is missing',
    ],
    [
      'the newest entry removed',
      'delete from activity_entries where owner_id = $1 and number = 3',
      'entry 3 is missing',
    ],
    [
      'a chain that was removed',
      'delete from activity_chains where owner_id = $1',
      'entry 3 is not the one that the log ends with',
    ],
  ])('1 and the first broken entry: %s', async (_, statement, said) => {
    const accountId = await withEntries(3);
    await tamper(statement, accountId);

    const { code, out } = await verify('--user', accountId);

    expect(code).toBe(1);
    expect(out).toBe(`customer ${accountId}: ${said}\nThe activity logs do not verify: 1 of 1 customers.\n`);
    expect((await verify()).out).toContain(`customer ${accountId}: ${said}\n`);
  });

  it('2 for an id that is none', async () => {
    expect((await verify('--user', 'jane')).code).toBe(2);
  });
});
