import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ListPreview, ValidationList } from '@assay/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../platform/database/migrate.ts';
import { openFileStore } from '../../../platform/files/open-file-store.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { createBareDatabase } from '../../../testing/database.ts';
import { productOfFile } from '../../../testing/product.ts';
import { auditLedger, grantCredits } from '../../billing/index.ts';
import { removeRemainsOf } from '../customer-removal.ts';
import { AddressSearch } from '../rows/address-search.ts';
import { findListEmails } from '../rows/emails.store.ts';
import { FarPages } from '../rows/far-pages.ts';
import { dropPartitions, largeListEmails, newListId } from '../rows/large-lists.store.ts';
import type { RowFinding } from '../rows/results.store.ts';
import { sweepValidations } from '../sweep.ts';
import { finishList } from './finish-list.ts';
import { ListGone, writeResults } from './write-results.ts';

const { api } = await productOfFile();
const { db, pool } = api.database;
/** Without a worker. */
const idle = await startTestApi();
afterAll(() => idle.close());
const signal = new AbortController().signal;

const threeRows = 'email,city\njane@exists.test,Bern\nnobody@exists.test,Rom\nmax@exists.test,Bonn\n';

const manyRows = [
  'email,city',
  ...Array.from({ length: 90 }, (_, n) => [
    `Jane.${n}@exists.test,Zürich`,
    `nobody-${n}@Exists.test,Rom`,
    `any+${n}%_@catch-all.test,Rom`,
    `not an address,Rom`,
    `jane.${n % 7}@exists.test,Rom`,
  ]).flat(),
].join('\n');

/** Makes lists of a few addresses, of files that seem to have many. */
async function newCustomer(of: TestApi = api) {
  const token = await of.tokenFor();
  const { id: ownerId } = (await of.call('GET', '/users/me', { token })).json<{ id: string }>();
  await of.database.db.transaction().execute((tx) =>
    grantCredits(tx, {
      ownerId,
      key: 'gift:test',
      credits: largeListEmails,
      now: new Date(),
      category: 'GRANT',
      source: 'SUPPORT',
      description: 'For a test',
    }),
  );
  const send = (path: string, name: string, value: string | Blob) => {
    const body = new FormData();
    body.append(name, value);
    return of.call('POST', path, { token, body });
  };
  const read = async (listId: string) =>
    (await of.call('GET', `/validations/lists/${listId}`, { token })).json<ValidationList>();
  return {
    ownerId,
    token,
    makeList: async (text = threeRows, billable = largeListEmails) => {
      const preview = await send('/validations/lists_bulk/validation', 'list_raw', new Blob([text]));
      const { upload_id } = preview.json<ListPreview>();
      await of.database.pool.query('update uploads set billable = $1 where id = $2', [billable, upload_id]);
      return (await send('/validations/lists_bulk', 'upload_id', upload_id)).json<ValidationList>().id;
    },
    untilComplete: (listId: string) =>
      expect.poll(async () => (await read(listId)).status, { timeout: 60_000 }).toBe('COMPLETE'),
    remove: (listId: string) => of.call('DELETE', `/validations/lists/${listId}`, { token }),
  };
}

async function partitionsOf(listId: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname like '%' || $1 order by relname`,
    [listId.replaceAll('-', '')],
  );
  return rows.map(({ name }) => name);
}

const sweep = async () =>
  sweepValidations({ db, clock: { now: () => new Date() }, files: await openFileStore(api.config) }, signal);

describe('a large list', () => {
  it('is one of a hundred thousand addresses or more', () => {
    expect(newListId(largeListEmails - 1)).not.toMatch(/^ffffffff-ffff-4/);
    expect(newListId(largeListEmails)).toMatch(/^ffffffff-ffff-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('has partitions of its own, runs like any other, and leaves no table once it is deleted', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList();
    await customer.untilComplete(listId);

    const name = listId.replaceAll('-', '');
    expect(await partitionsOf(listId)).toEqual([
      `list_address_blocks_${name}`,
      `list_results_${name}`,
      `list_rows_${name}`,
    ]);
    const stored = await pool.query(
      `select (select count(*)::int from list_rows_${name}) as rows, (select count(*)::int from list_results_${name}) as results`,
    );
    expect(stored.rows).toEqual([{ rows: 3, results: 3 }]);
    const page = await api.call(
      'GET',
      `/validations/lists/${listId}/emails?status=VALID&search=JA&sort=-email`,
      {
        token: customer.token,
      },
    );
    expect(page.json()).toMatchObject({ results: [{ email_address: 'jane@exists.test' }], total: 1 });

    expect((await customer.remove(listId)).statusCode).toBe(204);
    await sweep();

    expect(await partitionsOf(listId)).toEqual([]);
    const left = await pool.query('select from lists where id = $1', [listId]);
    expect(left.rowCount).toBe(0);
    expect(await Array.fromAsync(auditLedger(db))).toEqual([]);
  });

  it('is searched, filtered and sorted like any other', async () => {
    const customer = await newCustomer();
    const [small, large] = [await customer.makeList(manyRows, 10_000), await customer.makeList(manyRows)];
    await customer.untilComplete(small);
    await customer.untilComplete(large);
    expect([await partitionsOf(small), await partitionsOf(large)]).toEqual([[], expect.any(Array)]);

    const find = async (listId: string, query: string) => {
      const page = await api.call('GET', `/validations/lists/${listId}/emails?page_size=50&${query}`, {
        token: customer.token,
      });
      return page.json();
    };
    for (const query of [
      'search=JANE.1',
      'search=jane&page_number=2',
      'search=e&sort=-row&page_number=3',
      'search=%25_',
      'search=0%0Anobody',
      'search=nobody-&sort=-email',
      'search=3&sort=status&page_number=2',
      'search=exists&status=INVALID',
      'search=1&status=VALID&reason=mailbox_accepted&sort=-row',
      'search=no-such-text',
      'search=any&status=INVALID',
      'flag=plus_tag&page_number=2',
      'status=CATCH_ALL&status=INVALID&sort=email',
      'reason=no_such_mailbox&sort=-row',
      'page_number=6',
      'search=exists&status=INVALID&sort=-row&page_number=2',
      'search=exists&status=INVALID&status=VALID&sort=-status',
      'status=VALID&reason=no_such_mailbox',
      'status=INVALID&reason=no_such_mailbox&flag=role&page_number=2',
    ]) {
      const expected = await find(small, query);
      expect(expected.errors).toBeUndefined();
      expect({ query, ...(await find(large, query)) }).toEqual({ query, ...expected });
    }
  });

  it('counts the kinds of its results as they come, and its summary needs no other count', async () => {
    const customer = await newCustomer();
    const [small, large] = [await customer.makeList(manyRows, 10_000), await customer.makeList(manyRows)];
    await customer.untilComplete(small);
    await customer.untilComplete(large);
    const summaryOf = async (listId: string) =>
      (
        await api.call('GET', `/validations/lists/${listId}/emails/summary`, { token: customer.token })
      ).json();
    const expected = await summaryOf(small);
    expect(expected.reasons.length).toBeGreaterThan(1);
    expect(await summaryOf(large)).toEqual(expected);

    // Without its results, only the counters know.
    const name = large.replaceAll('-', '');
    await pool.query(`delete from list_results_${name} where verdict = 'VALID'`);
    expect(await summaryOf(large)).toEqual(expected);
    await customer.remove(large);
    await sweep();
    expect((await pool.query('select from list_kinds where list_id = $1', [large])).rowCount).toBe(0);
  });

  it('counts each kind once if a batch is written again, and unchecked rows', async () => {
    const customer = await newCustomer(idle);
    const listId = await customer.makeList();
    const place = { ownerId: customer.ownerId, listId };
    const parts = { db: idle.database.db, queue: idle.queue, clock: { now: () => new Date() } };
    const found = (rowNumber: number, reason: string, mxProvider: string | null) =>
      ({
        rowNumber,
        verdict: reason === 'mailbox_accepted' ? 'VALID' : 'INVALID',
        reason,
        flags: 2,
        mxProvider,
        suggestion: null,
        detail: '{}',
      }) as unknown as RowFinding;
    await writeResults(parts, place, [found(1, 'mailbox_accepted', 'google')], new Date());
    await writeResults(
      parts,
      place,
      [found(1, 'no_mail_host', null), found(2, 'no_mail_host', null)],
      new Date(),
    );
    await finishList(parts, place, signal);

    const { rows } = await idle.database.pool.query(
      'select verdict, reason, flags, mx_provider, emails from list_kinds where list_id = $1 order by reason',
      [listId],
    );
    expect(rows).toEqual([
      { verdict: 'VALID', reason: 'mailbox_accepted', flags: 2, mx_provider: 'google', emails: 1 },
      { verdict: 'INVALID', reason: 'no_mail_host', flags: 2, mx_provider: null, emails: 1 },
      { verdict: 'UNKNOWN', reason: 'not_checked', flags: null, mx_provider: null, emails: 1 },
    ]);
  });

  it('counts its results for the summary if a process of an earlier version has written some', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList();
    await customer.untilComplete(listId);
    await pool.query(`delete from list_kinds where list_id = $1 and verdict = 'INVALID'`, [listId]);

    const { reasons } = (
      await api.call('GET', `/validations/lists/${listId}/emails/summary`, { token: customer.token })
    ).json();

    expect(reasons).toMatchObject([
      { status: 'VALID', emails: 1 },
      { status: 'INVALID', emails: 1 },
      { status: 'UNKNOWN', emails: 1 },
    ]);
  });

  it('counts its blocks once for all its far pages', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList(manyRows);
    await customer.untilComplete(listId);
    const place = { ownerId: customer.ownerId, listId };
    const statements: string[] = [];
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        statements.push(JSON.stringify(node).includes('string_agg') ? 'count' : 'read');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const farPages = new FarPages(counting);
    for (const offset of [10, 200, 30]) await farPages.rowsAt(place, { direction: 'asc', offset, count: 10 });

    expect(statements).toEqual(['count', 'read', 'read', 'read']);
  });

  // The API needs these beyond ten thousand rows only.
  it('finds the rows of a deep page by blocks', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList(manyRows);
    await customer.untilComplete(listId);
    const place = { ownerId: customer.ownerId, listId };
    const { rows } = await sql<{ row_number: number }>`
      select row_number from list_rows where list_id = ${listId} and email_address is not null and first_row_number is null
      order by row_number`.execute(db);
    const all = rows.map(({ row_number }) => row_number);
    expect(all.length).toBeGreaterThan(250);
    const farPages = new FarPages(db);

    for (const [offset, count] of [
      [0, 10],
      [31, 2],
      [100, 50],
      [all.length - 3, 50],
      [all.length, 50],
    ] as const) {
      const forwards = await farPages.rowsAt(place, { direction: 'asc', offset, count });
      expect(forwards).toEqual(all.slice(offset, offset + count));
      const backwards = await farPages.rowsAt(place, { direction: 'desc', offset, count });
      expect(backwards).toEqual(all.slice(Math.max(0, all.length - offset - count), all.length - offset));
    }
  });

  it('finds the rows with a text, first or last ones first, and reads no further than the caller', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList(manyRows);
    await customer.untilComplete(listId);
    const place = { ownerId: customer.ownerId, listId };
    const addresses = new AddressSearch(db);
    onTestFinished(() => addresses.close());
    const search = async (text: string, direction: 'asc' | 'desc') => {
      const pieces = await Array.fromAsync(addresses.find(place, text, direction));
      return pieces.flatMap(({ rowNumbers }) => rowNumbers);
    };
    for (const text of ['Y-1', '%_', 'jane.', '.TEST', '@', 'no-such-text', '0\nnobody', '.test\n']) {
      const { rows } = await pool.query<{ row_number: number }>(
        `select row_number from list_rows where list_id = $1 and strpos(lower(email_address), lower($2)) > 0
           and email_address is not null and first_row_number is null order by row_number`,
        [listId, text],
      );
      const expected = rows.map(({ row_number }) => row_number);
      expect([text, await search(text, 'asc')]).toEqual([text, expected]);
      expect([text, await search(text, 'desc')]).toEqual([text, expected.toReversed()]);
    }
  });

  it('keeps the addresses that were searched for a minute or two, and no longer', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList();
    const place = { ownerId: customer.ownerId, listId };
    const tasks: (() => void)[] = [];
    const addresses = new AddressSearch(db, (task) => {
      tasks.push(task);
      return () => undefined;
    });
    const janes = async () => (await Array.fromAsync(addresses.find(place, 'jane', 'asc')))[0]?.rowNumbers;
    expect(await janes()).toEqual([1]);
    await pool.query(
      `update list_address_blocks_${listId.replaceAll('-', '')} set addresses = replace(addresses, 'jane', 'john')`,
    );
    expect(await janes()).toEqual([1]);
    tasks.shift()?.();
    expect(await janes()).toEqual([1]);
    tasks.shift()?.();
    tasks.shift()?.();
    expect(await janes()).toEqual([]);
  });

  it('leaves its neighbours alone when it is deleted', async () => {
    const customer = await newCustomer();
    const deleted = await customer.makeList();
    const kept = await customer.makeList();
    await customer.remove(deleted);
    await sweep();

    expect(await partitionsOf(deleted)).toEqual([]);
    expect(await partitionsOf(kept)).toHaveLength(3);
    await customer.untilComplete(kept);
  });

  it('404 for pages, and refuses results, that come after its partitions were dropped', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList();
    await customer.untilComplete(listId);
    await customer.remove(listId);
    await dropPartitions(db, signal);

    const finding = {
      rowNumber: 1,
      verdict: 'VALID',
      reason: 'late',
      flags: 0,
      mxProvider: null,
      suggestion: null,
      detail: '{}',
    };
    const place = { ownerId: customer.ownerId, listId };
    const wanted = {
      filter: { reasons: ['mailbox_accepted'] },
      sort: 'row',
      page: { page_size: 10, page_number: 1 },
      rowCount: 3,
      knownTotal: undefined,
    } as const;
    const addresses = new AddressSearch(db);
    await expect(
      findListEmails({ db, addresses, farPages: new FarPages(db) }, place, wanted),
    ).rejects.toMatchObject({
      code: 'list_not_found',
    });
    const late = writeResults(
      { db, queue: api.queue },
      place,
      [finding as unknown as RowFinding],
      new Date(),
    );
    await expect(late).rejects.toThrow(ListGone);
  });

  it('keeps its table while a backup reads it, and drops it at the next sweep', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList();
    await customer.untilComplete(listId);
    await customer.remove(listId);
    const [partition] = await partitionsOf(listId);
    const backup = await pool.connect();
    await backup.query('begin');
    await backup.query(`select from ${partition}`);

    await sweep();
    expect(await partitionsOf(listId)).toEqual([partition]);
    await backup.query('commit');
    backup.release();
    await sweep();

    expect(await partitionsOf(listId)).toEqual([]);
  });

  it('goes with the account of its customer', async () => {
    const customer = await newCustomer();
    const listId = await customer.makeList();
    await customer.untilComplete(listId);
    expect((await api.call('DELETE', '/users/me', { token: customer.token })).statusCode).toBe(204);

    const files = await openFileStore(api.config);
    await removeRemainsOf({ db, files }, customer.ownerId, signal);

    expect(await partitionsOf(listId)).toEqual([]);
  });
});

describe('the migration to partitions', () => {
  const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url));
  const ownerId = randomUUID();

  async function databaseBefore() {
    const database = await createBareDatabase();
    onTestFinished(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const name of (await readdir(migrations)).filter((file) => file < '0220')) {
      await cp(join(migrations, name), join(folder, name));
    }
    await migrate(database.url, folder);
    const old = new pg.Pool({ connectionString: database.url, max: 4 });
    // Runs first: a database with connections cannot be dropped without ending them.
    onTestFinished(() => old.end());
    return { url: database.url, old };
  }

  // The statements of the version before.
  const insertRows = (listId: string, from: number) => ({
    text: `insert into list_rows (owner_id, list_id, row_number, cells, email_address)
           select $1, $2, n, 'x', 'n' || n || '@exists.test' from generate_series($3::int, $3 + 99) n`,
    values: [ownerId, listId, from],
  });
  const insertResults = (listId: string, from: number) => ({
    name: 'planned before the migration',
    text: `insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
           select $1, $2, n, 'VALID', 'mailbox_accepted', now() from generate_series($3::int, $3 + 99) n`,
    values: [ownerId, listId, from],
  });

  it('runs while a list is written by the version before, and loses nothing', async () => {
    const { url, old } = await databaseBefore();
    const listId = randomUUID();
    let isMigrated = false;
    let written = 0;
    const writer = (async () => {
      while (!isMigrated || written < 1_000) {
        const client = await old.connect();
        await client.query('begin');
        await client.query(insertRows(listId, written));
        await client.query(insertResults(listId, written));
        await client.query('commit');
        client.release();
        written += 100;
      }
    })();
    await expect.poll(() => written, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);

    const applied = await migrate(url);
    isMigrated = true;
    await writer;

    expect(applied.slice(0, 3)).toEqual([
      '0220_large_lists.sql',
      '0221_large_lists_check.sql',
      '0222_large_lists_partitions.sql',
    ]);
    for (const table of ['list_rows', 'list_rows_shared', 'list_results', 'list_results_shared']) {
      const { rows } = await old.query(`select count(*)::int as count from ${table} where list_id = $1`, [
        listId,
      ]);
      expect(rows).toEqual([{ count: written }]);
    }
  });

  it('refuses the deletion of the version before, whose row ids would name rows of other lists', async () => {
    const { url, old } = await databaseBefore();
    await old.query(insertRows(randomUUID(), 0));
    await migrate(url);

    const deletion = old.query(
      `delete from list_rows where ctid in (select ctid from list_rows where owner_id = $1 limit 10)`,
      [ownerId],
    );
    await expect(deletion).rejects.toThrow('This process is older than its database.');
  });
});
