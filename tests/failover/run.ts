// npm run failover [-- --seed S]: reads exports from a synchronous standby of PostgreSQL, then loses the primary while lists run
// and customers pay, promotes the standby, and checks that nothing is lost or charged twice and that the product recovers by
// itself. Needs Debian's postgresql-15.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMailWorld } from '@assay/mail-world';
import { startPayments } from '@assay/stand-ins/payments';
import pg from 'pg';
import { startTestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { writeListFile, zone } from '../faults/list-file.ts';
import { type Customer, signUp } from '../support/customer.ts';
import { describeSurroundings } from '../support/environment.ts';
import { runAssay, startProcess } from '../support/product-process.ts';
import { createRandom } from '../support/random.ts';
import { startRelay } from '../support/relay.ts';
import { onShutdown } from '../support/shutdown.ts';
import { Deadline } from '../support/until.ts';
import { exportAtOnce, rehearseReplica } from './replica.ts';
import { hasServers, startPair, urlAt } from './servers.ts';

/** How long a cluster manager takes to notice. */
const detectionMs = 5_000;
const recoveryMsMax = 60_000;
const customerCount = 3;
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });

if (!hasServers()) {
  console.log('not run: install the package postgresql-15');
  process.exit(1);
}

const closers: (() => Promise<unknown>)[] = [];
const closeAll = async () => {
  for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
};
onShutdown(closeAll);
const startedAt = performance.now();
const say = (words: string) =>
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${words}`);

try {
  const faults = await rehearse();
  for (const fault of faults) console.log(`FAILED  ${fault}`);
  console.log(faults.length === 0 ? 'passed' : `failed: ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await closeAll();
}

async function rehearse(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-rehearsal-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'files'));
  const pair = await startPair();
  closers.push(() => pair.stop());
  const relay = await startRelay(pair.primaryPort);
  closers.push(() => relay.close());
  const issuer = await startTestIssuer();
  closers.push(() => issuer.close());
  const mail = await startMailWorld({ zone, replyDelayMs: 20 });
  closers.push(() => mail.close());
  const surroundings = await describeSurroundings({
    databaseUrl: urlAt(relay.port),
    issuer,
    mail,
    dataFolder: folder,
  });
  const webhook = { url: `${surroundings.apiUrl}/billing/webhooks/stripe`, secret: 'whsec_rehearsal' };
  const secretKey = 'sk_test_rehearsal';
  const payments = await startPayments({ secretKey, webhook });
  closers.push(() => payments.close());
  const environment = {
    ...surroundings.environment,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhook.secret,
    STRIPE_API_URL: payments.origin,
    DATABASE_REPLICA_URL: urlAt(pair.standbyPort),
  };
  await runAssay(
    { ...environment, PUBLIC_URL: surroundings.apiUrl.replace('/api', '') },
    'payments',
    'setup',
  );
  const processes = [
    await startProcess('api', environment),
    await startProcess('worker', environment),
    await startProcess('worker', environment),
  ];
  closers.push(() => Promise.all(processes.map((one) => one.stop())));
  say('an API, two workers, a primary and its synchronous standby run');

  const deadline = new Deadline(600_000, () => processes.flatMap(({ fall }) => fall ?? [])[0]);
  const ask = <Row extends pg.QueryResultRow>(statement: string, port = relay.port) =>
    query<Row>(port, statement);
  const customers: Buyer[] = [];
  for (let index = 0; index < customerCount; index += 1) {
    const file = writeListFile(Number(values.seed) + index);
    const customer = await signUp(issuer, { ...surroundings, environment }, file.rowCount);
    customers.push({ customer, file, paidCheckouts: 0 });
  }
  await deadline.until('customers are set up at the payment provider', async () => {
    const rows = await ask<{ count: number }>(
      'select count(*)::int as count from subscriptions where subscription_reference is not null',
    );
    return rows[0]?.count === customerCount;
  });
  say('customers can pay');

  const reader = await signUp(issuer, { ...surroundings, environment }, 0);
  const askStandby = (statement: string) => ask<Record<string, unknown>>(statement, pair.standbyPort);
  const reading = { ...surroundings, customer: reader, deadline };
  const faults = await rehearseReplica({ ...reading, askStandby });
  say('the standby has answered exports, and the primary did while it replayed nothing');
  // So that it does not count as one of the lists below.
  const [{ count: resultsBefore = 0 } = {}] = await ask<{ count: number }>(
    'select count(*)::int as count from list_results',
  );

  // Everything from here on happens around the loss of the primary.
  for (const buyer of customers) buyer.checkouts = [await open(buyer), await open(buyer), await open(buyer)];
  const lists = await Promise.all(customers.map(createList));
  await Promise.all(customers.map((buyer) => pay(buyer, 0)));
  const enough = resultsBefore + createRandom(Number(values.seed)).between(200, 4_000);
  await deadline.until(`${enough} results are there`, async () => {
    const rows = await ask<{ count: number }>('select count(*)::int as count from list_results');
    return (rows[0]?.count ?? 0) >= enough;
  });
  const paying = Promise.all(customers.map((buyer) => pay(buyer, 1)));
  const [before] = await ask<{ count: number }>('select count(*)::int as count from list_results');
  await pair.losePrimary();
  const lostAt = performance.now();
  say(
    `the primary is lost with at least ${before?.count} results written and ${customerCount} payments under way`,
  );
  await paying;
  await pause(detectionMs);
  await pair.promoteStandby();
  relay.leadTo(pair.standbyPort);
  say('the standby is the primary');

  const recovery = new Deadline(recoveryMsMax, () => processes.flatMap(({ fall }) => fall ?? [])[0]);
  const sinceLoss = () => `${((performance.now() - lostAt) / 1_000).toFixed(1)} s after the loss`;
  await recovery.until('the API answers', async () => customers[0]?.customer.client.users.getMe());
  say(`the API answers, ${sinceLoss()}`);
  const [kept] = await ask<{ count: number }>('select count(*)::int as count from list_results');
  await recovery.until('new results are written', async () => {
    const rows = await ask<{ count: number }>('select count(*)::int as count from list_results');
    return (rows[0]?.count ?? 0) > (kept?.count ?? 0);
  });
  say(`workers write results, ${sinceLoss()}`);
  await Promise.all(customers.map((buyer) => pay(buyer, 2)));
  // Customers return from the checkout, as their browsers would.
  for (const buyer of customers)
    for (const checkout of buyer.checkouts ?? []) await confirm(buyer, checkout, deadline);
  for (const [index, { customer }] of customers.entries()) {
    const list_id = lists[index] ?? '';
    await deadline.until('the list is complete', async () => {
      const { status } = await customer.client.validations.getList({ params: { list_id } });
      return status === 'COMPLETE';
    });
  }
  await payments.webhooks.settled();
  say('all lists are complete');

  // The address of the replica leads to a primary now.
  faults.push(...(await exportAtOnce(reading, 'an export after the standby was promoted')));
  if ((kept?.count ?? 0) < (before?.count ?? 0))
    faults.push(`results: ${kept?.count} of ${before?.count} are there`);
  for (const [index, { customer, file, paidCheckouts }] of customers.entries()) {
    const list = await customer.client.validations.getList({ params: { list_id: lists[index] ?? '' } });
    const { valid_emails, invalid_emails, catch_all_emails, unknown_emails } = list.email_metrics;
    const { VALID, INVALID, CATCH_ALL, UNKNOWN } = file.expected;
    const counts = [valid_emails, invalid_emails, catch_all_emails, unknown_emails];
    if (String(counts) !== String([VALID, INVALID, CATCH_ALL, UNKNOWN]))
      faults.push(`verdicts of list ${index}: ${counts}`);
    const wallet = await customer.client.billing.getWallet();
    const due = 1_000 + file.rowCount + paidCheckouts * 2_000 - (VALID + INVALID + CATCH_ALL);
    if (wallet.balance !== due)
      faults.push(`balance of customer ${index}: is ${wallet.balance}, should be ${due}`);
  }
  const [books] = await ask<{ packs: number; purchases: number }>(
    `select (select count(*) from ledger_entries where category = 'PACK')::int as packs,
       (select count(*) from purchases)::int as purchases`,
  );
  const paid = customers.reduce((sum, { paidCheckouts }) => sum + paidCheckouts, 0);
  if (books?.packs !== paid || books.purchases !== paid)
    faults.push(`${paid} packs paid, books: ${JSON.stringify(books)}`);
  const falls = processes.flatMap(({ fall }) => fall ?? []);
  faults.push(...falls);
  const audit = await runAssay(environment, 'ledger', 'audit').catch((error: Error) => error.message);
  if (!audit.includes('The ledger agrees')) faults.push(audit);
  say(`${paid} packs paid, ${books?.packs} granted; audit: ${audit.trim()}`);
  return faults;
}

interface Buyer {
  readonly customer: Customer;
  readonly file: ReturnType<typeof writeListFile>;
  /** With the id that the browser brings back after the payment. */
  checkouts?: { url: string; id?: string }[];
  paidCheckouts: number;
}

async function createList({ customer, file }: Buyer): Promise<string> {
  const list_raw = new File([file.text], 'people.csv', { type: 'text/csv' });
  return (await customer.client.validations.createList({ body: { list_raw } })).id;
}

async function open({ customer }: Buyer) {
  const { checkout_url: url } = await customer.client.billing.buyPack({ body: { pack: '2K' } });
  return { url };
}

/** At the payment provider, which the database of ours does not concern. */
async function pay(buyer: Buyer, index: number): Promise<void> {
  const checkout = buyer.checkouts?.[index];
  if (!checkout) throw new Error('no checkout');
  const body = new URLSearchParams({
    number: '4242424242424242',
    expiry: '12 / 39',
    cvc: '123',
    name: 'Ada',
  });
  const answer = await fetch(checkout.url, { method: 'POST', body, redirect: 'manual' });
  const [id] = /cs_\w+/.exec(answer.headers.get('location') ?? '') ?? [];
  if (answer.status !== 303 || !id) throw new Error(`the checkout answers ${answer.status}`);
  checkout.id = id;
  buyer.paidCheckouts += 1;
}

async function confirm({ customer }: Buyer, { id = '' }: { id?: string }, deadline: Deadline): Promise<void> {
  await deadline.until('a pack is granted', async () => {
    const answer = await customer.client.billing.confirmPack({ params: { checkout_id: id } });
    return answer.is_paid;
  });
}

async function query<Row extends pg.QueryResultRow>(port: number, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: urlAt(port), application_name: 'assay rehearsal' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
