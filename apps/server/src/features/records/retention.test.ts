import { randomUUID } from 'node:crypto';
import type { Activity, ValidationList, WebhookDelivery } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import { createFolderStore } from '../../platform/files/folder-store.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { defineJob, handleJob, openWorkQueue } from '../../platform/queue/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { findInFiles, findInTables, findTablesWithText } from '../../testing/search-data.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { verifyActivities } from '../activity/index.ts';
import { removeOldUploads } from '../guessing/lists/guess-lists.store.ts';
import {
  audit,
  createFrom,
  type GuessingCustomer,
  guess,
  newGuessingCustomer,
  previewPeople,
  untilComplete,
} from '../guessing/testing/guessing-customer.ts';
import { createPartitions } from '../verification/rows/large-lists.store.ts';
import { sweepValidations } from '../verification/sweep.ts';
import { applyRetention } from './retention.ts';

let api: TestApi;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const { signal } = new AbortController();
const query = async (text: string, values: unknown[] = []) =>
  (await api.database.pool.query(text, values)).rows;
const inDays = (days: number): Clock => ({ now: () => new Date(Date.now() + days * 86_400_000) });
const choose = (token: string, days: number | null) =>
  api.call('PUT', '/users/me/retention', { token, body: { days } });

/** What workers do on their schedules, at a later time. */
async function runSweeps(clock: Clock): Promise<void> {
  const { db } = api.database;
  await applyRetention({ db, clock }, signal);
  await sweepValidations({ db, clock, files: createFolderStore(api.filesFolder) }, signal);
  await removeOldUploads(db, clock.now());
}

async function sendCsv(token: string, path: string, contents: string, fileName: string) {
  const form = new FormData();
  form.append('list_raw', new Blob([contents]), fileName);
  return (await api.call('POST', path, { token, body: form })).json();
}

async function listOf(token: string, emails: string[], name = 'Spring'): Promise<string> {
  const { id } = (await api.call('POST', '/validations/lists', { token, body: { name, emails } })).json();
  const status = async () =>
    (await api.call('GET', `/validations/lists/${id}`, { token })).json<ValidationList>().status;
  await expect.poll(status, { timeout: 30_000 }).toBe('COMPLETE');
  return id;
}

/** Verifies and guesses with everything that keeps an address, until it is done. */
async function useEverything({ token, userId }: GuessingCustomer, name: string): Promise<void> {
  const address = `${name}@exists.test`;
  const csv = `email,note\n${address},${address}\nother@exists.test,-\n`;
  await sendCsv(token, '/validations/lists_bulk/validation', csv, `${name}.csv`);
  await api.call('POST', '/users/webhooks', { token, body: { url: 'https://hooks.example/assay' } });
  const listId = await listOf(token, [address, `${name}@catch-all.test`], name);
  await api.call('POST', `/validations/lists/${listId}/export`, { token });
  const body = { name, emails: [address] };
  const unwanted = (await api.call('POST', '/validations/lists', { token, body })).json();
  await api.call('DELETE', `/validations/lists/${unwanted.id}`, { token });
  await api.call('POST', `/validations/lists/${listId}/links`, { token, body: { days: 30 } });
  await api.call('POST', '/validations/email_validation?wait=20', {
    token,
    body: { email_address: address },
    headers: { 'idempotency-key': randomUUID() },
  });
  const customer = { token, userId };
  await guess(api, customer, { first_name: name, last_name: name, domain: 'dotted.test' });
  const people = `name,domain\n${name} ${name},dotted.test\n`;
  const { upload_id } = (await previewPeople(api, customer, people)).json();
  // As processes of earlier versions keep it.
  await query(
    `insert into guess_uploads (owner_id, id, file_name, contents, created_at, expires_at)
     values ($1, $2, 'people.csv', $3, now(), now() + interval '1 day')`,
    [userId, upload_id, people],
  );
  const { id } = (await createFrom(api, customer, { upload_id })).json();
  await untilComplete(api, customer, id);
  const renamed = await api.call('PUT', `/guessing/lists/${id}`, { token, body: { name } });
  expect(renamed.statusCode).toBe(200);
  const bounce = {
    email: address,
    kind: 'bounce',
    at: new Date(),
    detail: `550 5.1.1 <${address}> unknown`,
    id: address,
  };
  const reported = await api.call('POST', '/outcomes', { token, body: { outcomes: [bounce] } });
  expect(reported.statusCode).toBe(200);
  await makeLargeList(userId, address);
  await sendEventsAgain(token, userId);
  await leaveDeadLetter(userId, address);
}

/** An event about the single that was sent again two days later, and one that still waits. Their receiver does not exist. */
async function sendEventsAgain(token: string, userId: string): Promise<void> {
  await query("update webhook_deliveries set status = 'FAILED' where owner_id = $1", [userId]);
  const path = `/users/webhooks/${(await api.call('GET', '/users/webhooks', { token })).json().results[0].id}`;
  const { results } = (await api.call('GET', `${path}/deliveries`, { token })).json<{
    results: WebhookDelivery[];
  }>();
  const single = results.find(({ event_type }) => event_type === 'email_validation.completed');
  const again = await api.call('POST', `${path}/deliveries/${single?.id}/again`, { token });
  expect(again.statusCode).toBe(202);
  await query("update webhook_deliveries set created_at = now() + interval '2 days' where id = $1", [
    again.json().id,
  ]);
  await query(
    `insert into webhook_deliveries
       (owner_id, number, id, event_id, event_type, body, is_in_order, status, created_at, work_created_at)
     select owner_id, -1, gen_random_uuid(), event_id, event_type, body, false, 'PENDING', created_at, work_created_at
     from webhook_deliveries where id = $1`,
    [single?.id],
  );
}

/** A job that fails for good, with an address in its error. */
async function leaveDeadLetter(ownerId: string, address: string): Promise<void> {
  const doomed = defineJob({
    name: 'doomed',
    payload: z.strictObject({ ownerId: z.uuid() }),
    expireSeconds: 60,
    retryLimit: 1,
  });
  const queue = await openWorkQueue({
    databaseUrl: api.database.url,
    applicationName: 'assay test',
    logger: createLogger({
      level: 'info',
      process: 'test',
      destination: { write: (line) => doomedLines.push(line) },
    }),
  });
  await queue.work([
    handleJob(doomed, { concurrency: 1 }, async () => {
      throw new Error(`550 5.1.1 <${address}> unknown`);
    }),
  ]);
  await api.database.db.transaction().execute((tx) => queue.enqueue(tx, doomed, { ownerId }));
  const deadLetters = () => query("select output from queue.job where name = 'dead-letters'");
  await expect.poll(async () => (await deadLetters()).length, { timeout: 60_000 }).toBe(1);
  await queue.close();
  expect(JSON.stringify(doomedLines)).toContain('550 5.1.1');
}
const doomedLines: string[] = [];

/** A complete list with partitions of its own, of one address. */
async function makeLargeList(userId: string, address: string): Promise<void> {
  const listId = `ffffffff-ffff-4${randomUUID().slice(15)}`;
  await api.database.db.transaction().execute((tx) => createPartitions(tx, listId));
  await query(
    `insert into lists (kind, owner_id, id, name, status, delimiter, total_emails, valid_emails, created_at, completed_at)
     values ('emails', $1, $2, 'large', 'COMPLETE', ',', 1, 1, now(), now())`,
    [userId, listId],
  );
  await query(
    'insert into list_rows (owner_id, list_id, row_number, cells, email_address, first_row_number) values ($1, $2, 1, $3, $3, 1)',
    [userId, listId, address],
  );
  await query(
    'insert into list_address_blocks (owner_id, list_id, block_number, row_numbers, addresses) values ($1, $2, 0, array[1], $3)',
    [userId, listId, address],
  );
  await query(
    `insert into list_results (owner_id, list_id, row_number, verdict, reason, suggestion, checked_at)
     values ($1, $2, 1, 'VALID', 'mailbox_accepted', $3, now())`,
    [userId, listId, address],
  );
}

/** Short enough for the name of a list. */
const newName = () =>
  `xq${randomUUID()
    .replace(/[^a-z]/g, '')
    .slice(0, 18)}`;

/** Tables with the addresses, names of people, lists and files of a customer's work. The test of retention fills all of them. */
const tablesWithAddresses = [
  'public.activity_entries',
  'public.guess_list_rows',
  'public.guess_uploads',
  'public.guesses',
  'public.idempotent_answers',
  'public.list_address_blocks',
  'public.list_evidence',
  'public.list_results',
  'public.list_rows',
  'public.lists',
  'public.outcomes',
  'public.single_validations',
  'public.uploads',
  'public.webhook_deliveries',
];

const suppressions = 'public.suppressions';

/** All other tables with text, by the reason why they cannot hold an address that was verified. */
const tablesWithoutAddresses = {
  'the account: its own addresses, keys, mailboxes and receivers, which stay as long as it does': [
    'public.api_keys',
    'public.mailbox_authorizations',
    'public.mailbox_credentials',
    'public.mailbox_revocations',
    'public.outcome_feeds',
    'public.outcome_mailboxes',
    'public.scoped_api_keys',
    'public.support_cases',
    'public.user_identities',
    'public.users',
    'public.webhooks',
  ],
  'whom the customer does not want to ask or mail, which stays until they remove it': [suppressions],
  'domains and hosts, which customers share': [
    'public.domain_controls',
    'public.domain_facts',
    'public.egress_bindings',
    'public.egress_health',
    'public.egress_plans',
    'public.guess_patterns',
    'public.host_acceptances',
    'public.host_permits',
    'public.host_rests',
    'public.host_silences',
    'public.list_waits',
    'public.mail_host_uses',
    'public.owner_questions',
    'public.owner_wishes',
    'public.permit_holders',
    'public.share_states',
  ],
  'credits: ids, codes, references of the payment provider': [
    'public.automatic_top_ups',
    'public.coupon_redemptions',
    'public.coupons',
    'public.declined_cards',
    'public.departed_customers',
    'public.former_customers',
    'public.holds',
    'public.ledger_entries',
    'public.pack_checkouts',
    'public.payment_disputes',
    'public.payment_events',
    'public.purchases',
    'public.subscriptions',
    'public.top_up_orders',
  ],
  'words of ours, ids and hashes': [
    'public.abuse_scores',
    'public.accounts',
    'public.activity_chains',
    'public.address_packs',
    'public.api_key_calls',
    'public.attempts',
    'public.backups',
    'public.deleted_identities',
    'public.deletions_to_log',
    'public.ended_sessions',
    'public.export_links',
    'public.free_credit_claims',
    'public.job_runs',
    'public.list_kinds',
    'public.live_processes',
    'public.memberships',
    'public.operation_counts',
    'public.outcome_counts',
    'public.outcome_feed_refusals',
    'public.outcome_feed_signatures',
    'public.operators',
    'public.operator_chain',
    'public.question_bills',
    'public.request_allowances',
    'public.schema_functions',
    'public.schema_migrations',
    'public.support_deliveries',
  ],
  'what operators write: ids, their reason, and words for the status page': [
    'public.incidents',
    'public.operator_actions',
  ],
  'errors of calls and jobs, without addresses': ['public.operation_errors'],
  'jobs: ids, and errors without addresses': [
    'queue.bam',
    'queue.job',
    'queue.job_dependency',
    'queue.queue',
    'queue.queue_stats',
    'queue.schedule',
    'queue.subscription',
    'queue.warning',
  ],
};

describe('retention', () => {
  it('knows of every table with text whether it can hold an address: add a new one to the lists above', async () => {
    expect(await findTablesWithText(api.database.pool)).toEqual(
      [...tablesWithAddresses, ...Object.values(tablesWithoutAddresses).flat()].sort(),
    );
  });

  it('7 days later a search of every table and file finds no address; other customers and newer work keep theirs', async () => {
    const [leaves, stays, isNew] = [newName(), newName(), newName()];
    const customer = await newGuessingCustomer(api);
    const neighbour = await newGuessingCustomer(api);
    await useEverything(customer, leaves);
    await listOf(neighbour.token, [`${stays}@exists.test`]);
    expect((await choose(customer.token, 7)).json()).toEqual({ days: 7 });
    const tables = [...tablesWithAddresses, suppressions].sort();
    expect(await findInTables(api.database.pool, leaves)).toEqual(tables);
    expect(await findInFiles(api.filesFolder, leaves)).not.toEqual([]);
    const ledgerBefore = await query(
      'select * from ledger_entries where owner_id = $1 order by entry_number',
      [customer.userId],
    );

    // Nothing of it is old enough yet.
    await applyRetention({ db: api.database.db, clock: inDays(6.9) }, signal);
    expect(await findInTables(api.database.pool, leaves)).toContain('public.single_validations');
    await query("update lists set created_at = now() - interval '8 days' where owner_id = $1", [
      neighbour.userId,
    ]);

    await runSweeps(inDays(7.1));

    // The address bounced. Who must not be asked stays so until the customer says otherwise.
    expect(await findInTables(api.database.pool, leaves)).toEqual([suppressions]);
    expect(await findInFiles(api.filesFolder, leaves)).toEqual([]);
    expect(JSON.stringify([api.logLines, worker.logLines, doomedLines])).not.toContain(leaves);
    expect(await findInTables(api.database.pool, stays)).toContain('public.list_rows');
    expect(
      await query('select * from ledger_entries where owner_id = $1 order by entry_number', [
        customer.userId,
      ]),
    ).toEqual(ledgerBefore);
    expect(await audit(api)).toEqual([]);
    expect((await verifyActivities(api.database.db, customer.userId)).broken).toEqual([]);

    await listOf(customer.token, [`${isNew}@exists.test`]);
    await applyRetention({ db: api.database.db, clock: inDays(6.9) }, signal);
    expect(await findInTables(api.database.pool, isNew)).toContain('public.list_rows');
    const { results } = (
      await api.call('GET', '/users/me/activity?area=deletion', { token: customer.token })
    ).json<{ results: Activity[] }>();
    expect(results.map(({ kind, by }) => `${kind} ${by}`).sort()).toEqual([
      'deletion.guess assay',
      'deletion.list assay',
      'deletion.list assay',
      'deletion.list assay',
      'deletion.list customer',
      'deletion.single assay',
    ]);
  }, 120_000);

  it('stops work that still runs, and gives its credits back', async () => {
    const { token, userId } = await newGuessingCustomer(api);
    await choose(token, 30);
    const emails = ['jane@greylist-never.test'];
    const list = (await api.call('POST', '/validations/lists', { token, body: { emails } })).json();
    await api.call('POST', `/validations/lists/${list.id}/pause`, { token });
    await api.call('POST', '/validations/email_validation', { token, body: { email: emails[0] } });
    await runSweeps(inDays(31));

    expect(await query('select held from wallets where owner_id = $1', [userId])).toEqual([{ held: 0 }]);
    expect(await query('select 1 from single_validations where owner_id = $1', [userId])).toEqual([]);
    expect((await api.call('GET', `/validations/lists/${list.id}`, { token })).statusCode).toBe(404);
    expect(await audit(api)).toEqual([]);
  });
});

describe('/users/me/retention', () => {
  it('200 keeps everything at first, then what was chosen, and records each choice', async () => {
    const token = await api.tokenFor();
    const read = async () => (await api.call('GET', '/users/me/retention', { token })).json();

    expect(await read()).toEqual({ days: null });
    await choose(token, 90);
    expect(await read()).toEqual({ days: 90 });
    await choose(token, null);
    expect(await read()).toEqual({ days: null });
    const { results } = (await api.call('GET', '/users/me/activity?area=setting', { token })).json();
    expect(results.map(({ about }: Activity) => about)).toEqual(['Forever', '90 days']);
  });

  it('200 says how much a choice would delete, and deletes nothing', async () => {
    const { token, userId } = await newGuessingCustomer(api);
    await listOf(token, ['jane@exists.test', 'max@exists.test']);
    await api.call('POST', '/validations/email_validation?wait=20', {
      token,
      body: { email: 'a@exists.test' },
    });
    await guess(api, { token, userId }, { first_name: 'Jane', last_name: 'Doe', domain: 'dotted.test' });
    for (const table of ['lists', 'single_validations', 'guesses'])
      await query(`update ${table} set created_at = now() - interval '10 days' where owner_id = $1`, [
        userId,
      ]);
    const preview = async (days: number) =>
      (await api.call('GET', `/users/me/retention/preview?days=${days}`, { token })).json();

    expect(await preview(7)).toEqual({ lists: 1, list_emails: 2, singles: 1, guesses: 1 });
    expect(await preview(30)).toEqual({ lists: 0, list_emails: 0, singles: 0, guesses: 0 });
    expect((await api.call('GET', '/validations/lists', { token })).json().total).toBe(1);
  });

  it('400 for another number of days, 401 when signed out', async () => {
    const token = await api.tokenFor();

    expect((await choose(token, 8)).statusCode).toBe(400);
    expect((await api.call('GET', '/users/me/retention/preview?days=8', { token })).statusCode).toBe(400);
    expect((await api.call('PUT', '/users/me/retention', { token, body: {} })).statusCode).toBe(400);
    expect((await api.call('GET', '/users/me/retention')).statusCode).toBe(401);
  });
});
