import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ValidationList } from '@assay/contract';
import { startObjectStore } from '@assay/stand-ins/object-store';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addOperator,
  createCouponByOperator,
  disableCouponByOperator,
  removeOperator,
  setStanding,
} from '../features/operator/index.ts';
import { logDeletions } from '../features/recovery/deletion-log.ts';
import {
  checkBackup,
  loadBackup,
  newBackupKey,
  openBackupPlace,
  refuseUnfinishedRestore,
} from '../features/recovery/index.ts';
import { createPartitions } from '../features/verification/rows/large-lists.store.ts';
import { systemClock } from '../platform/clock.ts';
import { readRecoveryConfig } from '../platform/config/index.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createFolderStore } from '../platform/files/folder-store.ts';
import { createBareDatabase } from '../testing/database.ts';
import { productOfFile } from '../testing/product.ts';
import { startTestWorker } from '../testing/worker.ts';
import { run as runActivity } from './activity.ts';
import { run as runBackup } from './backup.ts';
import type { CommandIo } from './command.ts';
import { run as runLedger } from './ledger.ts';
import { run as runOperators } from './operators.ts';
import { run as runRecover } from './recover.ts';
import { run as runRestore } from './restore.ts';

type Run = (argv: string[], io: CommandIo) => Promise<number>;

const { api } = await productOfFile();
let folder: string;
let file: string;
let key: string;
/** The installation that is backed up. */
let sourceEnv: NodeJS.ProcessEnv;
/** Databases of this file, besides the source. */
const drops: (() => Promise<void>)[] = [];

const call = async (run: Run, env: NodeJS.ProcessEnv, ...argv: string[]) => {
  const out: string[] = [];
  const io = { write: (text: string) => out.push(text) };
  const code = await run(argv, { env, stdout: io, stderr: io });
  return { code, out: out.join('') };
};

const query = async (text: string, values: unknown[] = []) =>
  (await api.database.pool.query(text, values)).rows;

async function queryAt(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** An installation with an empty database and the log of deletions of the source. */
async function emptyInstallation(): Promise<NodeJS.ProcessEnv & { DATABASE_URL: string }> {
  const { url, drop } = await createBareDatabase();
  drops.push(drop);
  return { ...sourceEnv, DATABASE_URL: url };
}

async function newCustomer() {
  const token = await api.tokenFor();
  const userId: string = (await api.call('GET', '/users/me', { token })).json().id;
  return { token, userId };
}

const createList = async (token: string, emails: string[]): Promise<string> =>
  (await api.call('POST', '/validations/lists', { token, body: { emails } })).json().id;

const addresses = (count: number, domain: string) =>
  Array.from({ length: count }, (_, index) => `person${index}@${domain}`);

/** What a definition that went missing would change, read from the catalogs without the code under test. */
const catalog = `
  select string_agg(line, E'\\n' order by line collate "C") as text from (
    select format('%s.%s %s %s %s', nspname, relname, relkind, relpersistence, reloptions) as line
    from pg_class c join pg_namespace n on n.oid = relnamespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select format('%s %s %s %s %s %s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull, attstorage, attidentity,
      attgenerated, atthasdef)
    from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
    where attnum > 0 and not attisdropped and nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select format('%s %s %s', conrelid::regclass, conname, contype) from pg_constraint
    join pg_namespace n on n.oid = connamespace where nspname !~ '^pg_' and nspname <> 'information_schema' and contype <> 'n'
    union all
    select format('%s %s %s', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
    union all
    select format('%s %s', p.oid::regprocedure, md5(prosrc)) from pg_proc p join pg_namespace n on n.oid = pronamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select format('%s in %s', inhrelid::regclass, inhparent::regclass) from pg_inherits
  ) as lines`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-restore-'));
  file = join(folder, 'assay.backup');
  key = await newBackupKey();
  sourceEnv = {
    DATABASE_URL: api.database.url,
    ASSAY_SECRET: api.config.secret,
    ASSAY_FILES: api.filesFolder,
    ASSAY_DATA: folder,
    ASSAY_BACKUP_KEY: key,
  };
});
afterAll(async () => {
  for (const drop of drops) await drop();
  await rm(folder, { recursive: true, force: true });
});

/** Each test backs up or restores an installation up to three times, which takes a busy machine minutes. */
const patience = { timeout: 240_000 };

describe('assay backup and assay restore', patience, () => {
  it('bring an installation back whose lists were running, without what was deleted since, and the books agree', async () => {
    const [keeper, leaver] = [await newCustomer(), await newCustomer()];
    await query(`
      create schema other;
      create type other.mood as enum ('fine', 'so so');
      create table other.parents (id int generated always as identity primary key, mood other.mood not null default 'fine',
        twice int generated always as (id * 2) stored, child int, unique (mood, id));
      create table other.children (id serial primary key, parent int references other.parents, note text collate "C");
      alter table other.parents add foreign key (child) references other.children deferrable initially deferred;
      insert into other.parents (mood) values ('so so'), ('fine');
      insert into other.children (parent, note) values (1, E'tab\\t, line\\nand \\\\ back'), (2, null), (2, '\\N');
      update other.parents set child = 3`);
    const largeListId = `ffffffff-ffff-4${randomUUID().slice(15)}`;
    await api.database.db.transaction().execute((tx) => createPartitions(tx, largeListId));
    await query(
      `insert into lists (kind, owner_id, id, name, status, delimiter, total_emails, created_at)
       values ('emails', $1, $2, 'large', 'DRAFT', ',', 1, now())`,
      [keeper.userId, largeListId],
    );
    await query(
      'insert into list_rows (owner_id, list_id, row_number, cells, email_address) values ($1, $2, 1, $3, $3)',
      [keeper.userId, largeListId, 'jane@exists.test'],
    );
    const entries = [{ target: 'kept@exists.test' }, { target: 'removed@exists.test' }];
    await api.call('POST', '/suppressions', { token: keeper.token, body: { entries } });
    await api.call('POST', '/users/webhooks', {
      token: keeper.token,
      body: { url: 'https://hooks.example/assay' },
    });
    const uploadId = randomUUID();
    await query(
      `insert into upload_reservations (owner_id, id, byte_count, expires_at) values ($1, $2, 23, now() + interval '1 hour')`,
      [keeper.userId, uploadId],
    );
    const writeFileAs = (id: string) =>
      createFolderStore(api.filesFolder).write(
        `uploads/${keeper.userId}/${id}`,
        Readable.from([Buffer.from('email\njane@exists.test\n')]),
      );
    await writeFileAs(uploadId);
    const former = await newCustomer();
    const operation = { db: api.database.db, clock: systemClock };
    const reason = { actorId: null, reason: 'Before the backup' };
    for (const { userId } of [former, keeper])
      await addOperator(operation, reason, { userId, role: 'admin' });
    await setStanding({ ...operation, queue: api.queue }, reason, {
      customerId: leaver.userId,
      standing: 'throttled',
    });
    await createCouponByOperator(operation, reason, {
      code: 'SPRING',
      credits: 5,
      redemptionsMax: null,
      expiresAt: null,
    });
    const checked = await api.call('POST', '/validations/email_validation', {
      token: keeper.token,
      body: { email_address: 'jane@exists.test' },
    });
    const { id: singleId } = checked.json();
    const { id: keyId } = (await api.call('POST', '/users/api-keys', { token: keeper.token })).json();

    // A greylisted address keeps the list running for some seconds.
    const running = await createList(keeper.token, [...addresses(300, 'exists.test'), 'jane@greylist.test']);
    const doomed = await createList(keeper.token, [
      ...addresses(30, 'catch-all.test'),
      'max@greylist-never.test',
    ]);
    await expect
      .poll(
        async () => (await query('select count(*) from list_results where list_id = $1', [running]))[0].count,
        {
          timeout: 30_000,
        },
      )
      .toBeGreaterThan(0);
    const backup = await call(runBackup, sourceEnv, file);
    expect(backup).toMatchObject({ code: 0 });

    expect(
      (await api.call('DELETE', `/validations/lists/${doomed}`, { token: keeper.token })).statusCode,
    ).toBe(204);
    expect((await api.call('DELETE', `/users/api-keys/${keyId}`, { token: keeper.token })).statusCode).toBe(
      204,
    );
    expect((await api.call('DELETE', '/users/me', { token: leaver.token })).statusCode).toBe(204);
    const single = `/validations/email_validation/${singleId}`;
    expect((await api.call('DELETE', single, { token: keeper.token })).statusCode).toBe(204);
    await api.call('DELETE', '/suppressions?target=removed@exists.test', { token: keeper.token });
    const parts = { db: api.database.db, clock: systemClock, queue: api.queue };
    const order = { actorId: keeper.userId, reason: 'Left the company' };
    await removeOperator(parts, order, former.userId);
    await addOperator(parts, order, { userId: keeper.userId, role: 'support' });
    await setStanding(parts, order, { customerId: former.userId, standing: 'held' });
    await setStanding(parts, order, { customerId: former.userId, standing: 'suspended' });
    await disableCouponByOperator(parts, order, 'SPRING');
    const files = createFolderStore(api.filesFolder);
    await logDeletions({ ...api.database, clock: systemClock, files }, new AbortController().signal);
    await files.remove(`uploads/${keeper.userId}/${uploadId}`);
    await writeFileAs('after-the-backup');

    const env = await emptyInstallation();
    const restored = await call(runRestore, env, file);
    expect(restored).toMatchObject({
      code: 0,
      out: expect.stringContaining('5 later deletions and 5 later revocations repeated'),
    });

    const url = env.DATABASE_URL;
    expect((await queryAt(url, catalog))[0].text).toBe((await query(catalog))[0].text);
    expect(await queryAt(url, 'select * from other.parents order by id')).toEqual(
      await query('select * from other.parents order by id'),
    );
    expect(await queryAt(url, 'select * from other.children order by id')).toEqual(
      await query('select * from other.children order by id'),
    );
    expect(await queryAt(url, `insert into other.parents default values returning id`)).toEqual([{ id: 3 }]);
    expect(await queryAt(url, `select cells from list_rows where list_id = '${largeListId}'`)).toEqual([
      { cells: 'jane@exists.test' },
    ]);
    expect(await queryAt(url, 'select target from suppressions where removed_at is null')).toEqual([
      { target: 'kept@exists.test' },
    ]);
    // Numbers that were given out after the backup come again, so no cursor from before counts.
    const [{ generation }] = await queryAt(url, 'select generation from suppression_clocks');
    expect(Number(generation)).toBeGreaterThan(1);
    expect(await queryAt(url, `select status from webhook_deliveries where status = 'PENDING'`)).toEqual([]);
    expect(await queryAt(url, `select id from users where id = '${leaver.userId}'`)).toEqual([]);
    expect(await queryAt(url, 'select id from single_validations')).toEqual([]);
    expect(await queryAt(url, 'select user_id, role from operators')).toEqual([
      { user_id: keeper.userId, role: 'support' },
    ]);
    expect(await queryAt(url, `select standing from accounts where id = '${former.userId}'`)).toEqual([
      { standing: 'suspended' },
    ]);
    expect(await queryAt(url, `select code from coupons where disabled_at is null`)).toEqual([]);
    expect(
      await queryAt(url, `select kind, actor_id from operator_actions order by number desc limit 1`),
    ).toEqual([{ kind: 'coupon.disabled', actor_id: keeper.userId }]);
    expect(await queryAt(url, `select id from api_keys where id = '${keyId}'`)).toEqual([]);
    expect(await queryAt(url, `select status from lists where id = '${doomed}'`)).toEqual([
      { status: 'DELETED' },
    ]);
    const restoredFiles = await Array.fromAsync(files.list(`uploads/${keeper.userId}`));
    expect(restoredFiles).toContain(`uploads/${keeper.userId}/${uploadId}`);
    expect(restoredFiles).not.toContain(`uploads/${keeper.userId}/after-the-backup`);

    // Workers go on where the backup was taken.
    const database = {
      ...openDatabase({ url, poolSize: 5, applicationName: 'assay test', onIdleError: () => undefined }),
      url,
    };
    // The restored list waits for a host that put it off. It is due now, and this host has no reason to put it off again.
    const zone = 'domain exists.test accepts person*\ndomain greylist.test accepts jane';
    await database.pool.query(
      `update queue.job set start_after = now() where name like '%deferred%' and data ->> 'listId' = $1`,
      [running],
    );
    const successor = await startTestWorker({ database, config: api.config }, { zone });
    try {
      const list = async () =>
        (
          await database.pool.query<ValidationList>('select status, valid_emails from lists where id = $1', [
            running,
          ])
        ).rows[0];
      await expect.poll(list, { timeout: 60_000 }).toMatchObject({ status: 'COMPLETE' });
      expect(await call(runLedger, env, 'audit')).toMatchObject({ code: 0 });
      expect(await call(runActivity, env, 'verify')).toMatchObject({ code: 0 });
      expect(await call(runOperators, env, 'verify')).toMatchObject({ code: 0 });
    } finally {
      await successor.close();
      await database.close();
    }
  });

  it('refuse a key, a file or a secret that does not fit, and change nothing', async () => {
    const env = await emptyInstallation();
    const refusal = async (changes: NodeJS.ProcessEnv, path = file) => {
      const { code, out } = await call(runRestore, { ...env, ...changes }, path);
      expect(code).toBe(1);
      return out;
    };

    expect(await refusal({ ASSAY_BACKUP_KEY: await newBackupKey() })).toContain(
      'The key does not open this backup.',
    );
    expect(await refusal({ ASSAY_BACKUP_KEY: '' })).toContain('Set ASSAY_BACKUP_KEY');
    expect(await refusal({ ASSAY_SECRET: randomBytes(32).toString('hex') })).toContain(
      'ASSAY_SECRET is not that of the backup.',
    );
    const cut = join(folder, 'cut.backup');
    await writeFile(cut, await readFile(file));
    await truncate(cut, (await stat(cut)).size - 1_000);
    expect(await refusal({}, cut)).toContain('This backup is incomplete or was changed.');
    expect(
      await queryAt(env.DATABASE_URL, `select from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([]);
  });

  it('refuse a database that is in use or not empty, unless --yes replaces what it contains', async () => {
    expect(await call(runRestore, sourceEnv, file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('The database is in use'),
    });

    const env = await emptyInstallation();
    await queryAt(
      env.DATABASE_URL,
      'create schema queue; create table users (id int); create table queue.job ()',
    );
    expect(await call(runRestore, env, file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('The database is not empty.'),
    });
    expect(await call(runRestore, env, file, '--yes')).toMatchObject({ code: 0 });
    // The second time every table, function and type of ours is there.
    expect(await call(runRestore, env, file, '--yes')).toMatchObject({ code: 0 });
  });

  it('keep the secret in the data folder of an installation that has it there', async () => {
    const { ASSAY_SECRET, ...others } = await emptyInstallation();
    const data = await mkdtemp(join(folder, 'data-'));
    const env = { ...others, ASSAY_DATA: data };

    const secretsPath = join(data, 'secrets.env');
    expect(await call(runRestore, env, file, '--secrets', secretsPath)).toMatchObject({ code: 0 });
    expect(await readFile(secretsPath, 'utf8')).toBe(`ASSAY_SECRET=${ASSAY_SECRET}\n`);
    const secret = join(data, 'secret');
    await writeFile(secret, 'another one');
    const { s3 } = readRecoveryConfig(sourceEnv);
    const checked = await checkBackup(await openBackupPlace(file, s3), key);
    const refused = [
      'create table public.twice (id int unique deferrable initially deferred)',
      'insert into public.twice values (1), (1)',
    ];
    const schema = { ...checked.schema, after: [...checked.schema.after, ...refused] };
    const failing = loadBackup({
      databaseUrl: others.DATABASE_URL,
      files: createFolderStore(api.filesFolder),
      sources: { dataFolder: data, secret: null, previousSecrets: [], mailboxTokenKeys: [] },
      place: await openBackupPlace(file, s3),
      identity: key,
      checked: { ...checked, schema },
      replaces: false,
    });
    // The commit fails.
    await expect(failing).rejects.toThrow('duplicate key');
    expect(await readFile(secret, 'utf8')).toBe('another one');

    expect(await call(runRestore, env, file)).toMatchObject({ code: 0 });
    expect(await readFile(secret, 'utf8')).toBe(ASSAY_SECRET);
    expect(await readFile(`${secret}.before-restore`, 'utf8')).toBe('another one');
  });

  it('refuse to back up what would be missing after a restore, and leave no file', async () => {
    await query('create view odd as select 1 as one');
    const unwanted = join(folder, 'unwanted.backup');
    try {
      await expect(call(runBackup, sourceEnv, unwanted)).rejects.toThrow(
        'cannot keep: view public.odd. Use pg_dump.',
      );
      await expect(call(runBackup, sourceEnv, join(folder, 'no', 'such', 'folder'))).rejects.toThrow();
    } finally {
      await query('drop view odd');
    }
    expect((await readdir(folder)).filter((name) => name.startsWith(basename(unwanted)))).toEqual([]);
    expect(await query('select outcome from backups order by id desc limit 2')).toEqual([
      { outcome: 'failed' },
      { outcome: 'failed' },
    ]);
  });

  it('replace a file only with --overwrite, and only by a whole backup', async () => {
    const path = join(folder, 'earlier.backup');
    const secrets = join(folder, 'of-replacement');
    await writeFile(path, 'the earlier backup');
    const isUntouched = async () => expect(await readFile(path, 'utf8')).toBe('the earlier backup');

    expect(await call(runBackup, sourceEnv, path)).toEqual({
      code: 1,
      out: `${path} exists. Give another name, or --overwrite.\n`,
    });
    await isUntouched();
    await query('create view odd as select 1 as one');
    try {
      await expect(call(runBackup, sourceEnv, path, '--overwrite')).rejects.toThrow('view public.odd');
    } finally {
      await query('drop view odd');
    }
    await isUntouched();

    await query(`insert into backups (started_at, outcome) values (now(), 'running')`);
    expect(await call(runBackup, sourceEnv, path, '--overwrite')).toMatchObject({ code: 0 });
    expect(await query(`select from backups where outcome = 'running'`)).toHaveLength(0);
    expect(await call(runRestore, sourceEnv, path, '--secrets', secrets)).toMatchObject({ code: 0 });
    expect((await readdir(folder)).filter((name) => name.startsWith(basename(path)))).toEqual([
      basename(path),
    ]);
  });

  it('leave a mark until the end, so that no process starts on half a restore', async () => {
    const { db } = api.database;
    await refuseUnfinishedRestore(db);
    await db.insertInto('unfinished_restores').values({ started_at: new Date() }).execute();
    try {
      await expect(refuseUnfinishedRestore(db)).rejects.toThrow(
        'A restore of this installation did not finish.',
      );
    } finally {
      await db.deleteFrom('unfinished_restores').execute();
    }
  });

  it('use an S3-compatible store, and record the last backup', async () => {
    const objectStore = await startObjectStore();
    try {
      const env = {
        ...sourceEnv,
        S3_ENDPOINT: objectStore.endpoint,
        S3_ACCESS_KEY_ID: objectStore.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: objectStore.credentials.secretAccessKey,
      };
      expect(await call(runBackup, env, 's3://assay/daily/monday.backup')).toMatchObject({ code: 0 });
      const [last] = await query('select outcome, byte_count from backups order by id desc limit 1');
      const stored = objectStore.bucket('assay').objects.get('daily/monday.backup');
      expect(last).toEqual({ outcome: 'complete', byte_count: stored?.length });

      const target = {
        ...(await emptyInstallation()),
        ...env,
        DATABASE_URL: (await emptyInstallation()).DATABASE_URL,
      };
      expect(await call(runRestore, target, 's3://assay/daily/monday.backup')).toMatchObject({ code: 0 });
      await expect(call(runBackup, env, 's3://no-such-bucket/x')).rejects.toThrow('There is no such bucket');
    } finally {
      await objectStore.close();
    }
  });

  it('a rehearsal restores beside the installation, reports, and changes nothing of it', async () => {
    const { token, userId } = await newCustomer();
    await createList(token, addresses(3, 'exists.test'));
    const path = join(folder, 'rehearsed.backup');
    expect(await call(runBackup, sourceEnv, path)).toMatchObject({ code: 0 });
    await api.call('DELETE', '/users/me', { token });
    await logDeletions(
      { db: api.database.db, files: createFolderStore(api.filesFolder), clock: systemClock },
      new AbortController().signal,
    );
    const databases = () => query(`select datname from pg_database where datname like 'assay_rehearsal%'`);
    const filesBefore = (await readdir(api.filesFolder, { recursive: true })).sort();

    const { url, drop } = await createBareDatabase();
    drops.push(drop);
    const rehearsal = await call(runRestore, sourceEnv, path, '--rehearse', '--scratch', url);

    expect(rehearsal.out).toMatch(/Rehearsed in [\d.]+ s: \d+ rows/);
    expect(rehearsal.out).toMatch(/would repeat [1-9]\d* later deletions/);
    expect(rehearsal.out).toContain('The ledger adds up.');
    expect(rehearsal.code).toBe(0);
    expect(await queryAt(url, `select id from users where id = '${userId}'`)).toEqual([]);
    expect((await readdir(api.filesFolder, { recursive: true })).sort()).toEqual(filesBefore);
    expect(await databases()).toEqual([]);
  });

  it('a rehearsal says what to do where it may not make a database', async () => {
    const path = join(folder, 'refused.backup');
    await call(runBackup, sourceEnv, path);
    const [role] = await query(
      'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
    );
    const { out } = await call(runRestore, sourceEnv, path, '--rehearse');
    expect(out).toContain(role?.may ? 'Rehearsed in' : 'give its address with --scratch URL');
    expect(await query(`select from pg_database where datname like 'assay_rehearsal%'`)).toEqual([]);
  });

  it('recover does in a database that other tools restored what restore does', async () => {
    const { token, userId } = await newCustomer();
    const payer = await newCustomer();
    const hook = { url: 'https://hooks.example/assay' };
    await api.call('POST', '/users/webhooks', { token: payer.token, body: hook });
    await query(
      `insert into webhook_deliveries (owner_id, number, id, event_id, event_type, body, is_in_order, status, created_at)
       values ($1, 1000, $2, 'evt_1', 'list.completed', '{}', true, 'PENDING', now())`,
      [payer.userId, randomUUID()],
    );
    await query(`update subscriptions set customer_reference = 'cus_payer' where owner_id = $1`, [
      payer.userId,
    ]);
    const path = join(folder, 'pitr.backup');
    await call(runBackup, sourceEnv, path);
    await api.call('DELETE', '/users/me', { token });
    await logDeletions(
      { db: api.database.db, files: createFolderStore(api.filesFolder), clock: systemClock },
      new AbortController().signal,
    );
    // What pg_restore would leave: the rows of the backup, and nothing repeated.
    const env = await emptyInstallation();
    const place = await openBackupPlace(path, readRecoveryConfig(env).s3);
    await loadBackup({
      databaseUrl: env.DATABASE_URL,
      files: createFolderStore(join(folder, 'pitr-files')),
      sources: readRecoveryConfig(env),
      place,
      identity: key,
      checked: await checkBackup(place, key),
      replaces: false,
    });
    const findUser = () => queryAt(env.DATABASE_URL, `select id from users where id = '${userId}'`);
    const ofPayer = (table: string, columns: string) =>
      queryAt(env.DATABASE_URL, `select ${columns} from ${table} where owner_id = '${payer.userId}'`);
    expect(await ofPayer('webhook_deliveries', 'status')).toEqual([{ status: 'PENDING' }]);
    expect(await findUser()).toHaveLength(1);
    expect(await call(runRecover, env)).toMatchObject({
      code: 1,
      out: expect.stringContaining('Give it with --since TIME'),
    });

    const since = new Date(Date.now() - 3_600_000).toISOString();
    const recovered = await call(runRecover, env, '--since', since);

    expect(recovered.out).toMatch(
      /Recovered to .* [1-9]\d* later deletions .*, [1-9]\d* waiting webhooks given up, [1-9]\d* customers to compare/,
    );
    expect(recovered.code).toBe(0);
    expect(await findUser()).toEqual([]);
    expect(await ofPayer('webhook_deliveries', 'status')).toEqual([{ status: 'FAILED' }]);
    expect(await ofPayer('subscriptions', 'needs_sync')).toEqual([{ needs_sync: true }]);
    // Without --since, the last sign of life of a process tells the moment, with a margin of a minute.
    const seenAt = new Date(Date.now() - 3_600_000);
    await queryAt(
      env.DATABASE_URL,
      `insert into live_processes (id, kind, version, commit, host, started_at, seen_at)
       values (gen_random_uuid(), 'worker', '1.0.0', 'abc', 'old', now(), '${seenAt.toISOString()}')`,
    );
    expect(await call(runRecover, env)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Recovered to ${new Date(seenAt.getTime() - 60_000).toISOString()}.`),
    });
    const database = openDatabase({
      url: env.DATABASE_URL,
      poolSize: 1,
      applicationName: 'test',
      onIdleError: () => undefined,
    });
    await refuseUnfinishedRestore(database.db);
    await database.close();
  });

  it('a series keeps what its rule says, and removes what a killed backup left', async () => {
    const series = join(folder, 'series');
    const store = createFolderStore(series);
    for (const name of ['2026-01-05T03-00-00Z', '2026-01-06T03-00-00Z', 'notes']) {
      await store.write(`assay-backups/${name}`, Readable.from([Buffer.from('old')]));
    }
    const killedAt = new Date('2026-11-01T03:00:00Z');
    await query(`insert into backups (started_at, outcome) values ($1, 'running')`, [killedAt]);
    await writeFile(join(series, 'assay-backups', '2026-11-01T03-00-00Z.part'), 'half');

    const backup = await call(runBackup, sourceEnv, series, '--keep', '2d');

    expect(backup.out).toContain('Read again and found whole.');
    expect(backup.out).toContain('Removed assay-backups/2026-01-05T03-00-00Z.');
    expect(backup.code).toBe(0);
    const names = (await readdir(join(series, 'assay-backups'))).sort();
    expect(names).toHaveLength(3);
    expect(names).toEqual(['2026-01-06T03-00-00Z', expect.stringMatching(/^20\d\d-/), 'notes']);
    const newest = join(series, 'assay-backups', names[1] as string);
    expect(await call(runRestore, sourceEnv, newest, '--secrets', join(folder, 'of-series'))).toMatchObject({
      code: 0,
    });
    expect(await query('select outcome from backups where started_at = $1', [killedAt])).toEqual([
      { outcome: 'failed' },
    ]);
    expect((await call(runBackup, sourceEnv, series, '--keep', 'all')).code).toBe(2);
  });
});
