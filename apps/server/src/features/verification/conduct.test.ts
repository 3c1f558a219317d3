import { systemClock } from '@assay/verifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';

const zone = [
  'domain people.test accepts user*',
  'domain gone.test accepts nobody',
  'domain any.test catch-all',
  'domain never.test accepts user*; owner "v=assay1; never"',
  'domain few.test accepts user*; owner "v=assay1; limit=7/day"',
].join('\n');
const singles = '/validations/email_validation';
const lists = '/validations/lists';

describe('questions to mail hosts', () => {
  let api: TestApi;
  let worker: TestWorker;
  beforeAll(async () => {
    api = await startTestApi();
    worker = await startTestWorker(api, { zone, sharesConduct: true });
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  const usersOf = (domain: string, count = 30) =>
    Array.from({ length: count }, (_, index) => `user${index}@${domain}`);
  const untilComplete = async (token: string, path: string, id: string) => {
    const read = async () => (await api.call('GET', `${path}/${id}`, { token })).json();
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('COMPLETE');
    return read();
  };
  const check = async (token: string, email: string) => {
    const made = await api.call('POST', singles, { token, body: { email_address: email } });
    return untilComplete(token, singles, made.json().id);
  };
  const checkAll = async (token: string, emails: string[]) => {
    const made = await api.call('POST', lists, { token, body: { emails } });
    return untilComplete(token, lists, made.json().id);
  };
  const countBilled = async () =>
    (await api.database.pool.query('select sum(questions)::int as questions from question_bills')).rows[0]
      .questions;
  const countAsked = () => worker.world.conduct.total.recipients;

  it('are billed to the account and the list that asked, as the hosts counted them', async () => {
    const [one, other] = [await api.tokenFor(), await api.tokenFor()];
    const emails = [...usersOf('people.test'), ...usersOf('gone.test'), ...usersOf('any.test')];
    await Promise.all([
      checkAll(one, emails),
      checkAll(other, emails.slice(0, 45)),
      check(one, 'user1@people.test'),
      check(other, 'nobody@gone.test'),
    ]);

    expect(countAsked()).toBeGreaterThan(90);
    await expect.poll(countBilled).toBe(countAsked());
    const { rows } = await api.database.pool.query(
      `select provider, count(distinct owner_id)::int as accounts, sum(unknown) > 0 as has_unknown
       from question_bills group by provider order by provider`,
    );
    expect(rows).toEqual([
      { provider: 'any.test', accounts: 1, has_unknown: false },
      { provider: 'gone.test', accounts: 2, has_unknown: true },
      { provider: 'people.test', accounts: 2, has_unknown: true },
    ]);
  });

  it('that an owner does not want are not asked and not charged', async () => {
    const token = await api.tokenFor();
    const balanceOf = async () => (await api.call('GET', '/billing/me', { token })).json().balance;
    const before = await balanceOf();

    const list = await checkAll(token, usersOf('never.test'));
    const single = await check(token, 'user1@never.test');

    expect(list).toMatchObject({ charged_credits: 0, email_metrics: { unknown_emails: 30 } });
    expect(single).toMatchObject({ email_address_status: 'UNKNOWN', reason: { code: 'owner_declined' } });
    expect(worker.world.conduct.host('mx.never.test').connectionsTotal).toBe(0);
    expect(await balanceOf()).toBe(before);
  });

  it('beyond the number that an owner allows a day are not asked, whichever account wants to', async () => {
    const tokens = [await api.tokenFor(), await api.tokenFor()];
    await Promise.all(tokens.map((token) => checkAll(token, usersOf('few.test'))));

    expect(worker.world.conduct.host('mx.few.test').recipients).toBe(7);
  });
});

describe('a record that says never while several workers check lists', () => {
  const minuteMs = 60_000;
  const recipientsPerTransaction = 5;
  const connectionsPerHost = 2;

  it('ends all questions a minute later, also those of lists whose worker goes away', async () => {
    let aheadMs = 0;
    const verifierClock = {
      ...systemClock,
      now: () => systemClock.now() + aheadMs,
      wallNow: () => systemClock.wallNow() + aheadMs,
    };
    const api = await startTestApi();
    const verifierLimits = { recipientsPerTransaction, connectionsPerHost };
    const common = { sharesConduct: true, verifierClock, verifierLimits };
    const first = await startTestWorker(api, {
      ...common,
      zone: 'domain late.test accepts user*; ttl 1s; at rcpt wait 20ms',
    });
    const { world } = first;
    const others = [
      await startTestWorker(api, { ...common, world }),
      await startTestWorker(api, { ...common, world }),
    ];
    const asked = () => world.conduct.host('mx.late.test').recipients;
    const listIds = [];
    for (const customer of [0, 1, 2]) {
      const token = await api.tokenFor();
      const emails = Array.from({ length: 900 }, (_, index) => `user${customer}-${index}@late.test`);
      const made = await api.call('POST', lists, { token, body: { emails } });
      listIds.push([token, made.json().id]);
    }
    await expect.poll(asked, { timeout: 20_000, interval: 5 }).toBeGreaterThan(200);

    world.publishOwnerRecords('late.test', ['v=assay1; never']);
    const gone = others[0]?.close();
    aheadMs += minuteMs;
    const askedInTime = asked();

    for (const [token = '', id] of listIds) {
      const read = async () => (await api.call('GET', `${lists}/${id}`, { token })).json();
      await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('COMPLETE');
    }
    // What was on its way when the minute was over: a transaction on each connection.
    expect(asked() - askedInTime).toBeLessThanOrEqual(2 * connectionsPerHost * recipientsPerTransaction);
    expect(asked()).toBeLessThan(2_700);
    await gone;
    await Promise.all([first.close(), others[1]?.close()]);
    await api.close();
  }, 120_000);
});

describe('a list whose provider has had too many unknown recipients', () => {
  it('waits, and names the provider and our limit as the cause', async () => {
    const api = await startTestApi();
    const unknown = { share: 0.4, recipients: 100 };
    const worker = await startTestWorker(api, {
      zone: 'domain many.test accepts nobody',
      sharesConduct: true,
      providers: [{ name: 'Big Mail', hosts: ['mx.many.test'], unknown }],
    });
    const token = await api.tokenFor();
    const emails = Array.from({ length: 60 }, (_, index) => `user${index}@many.test`);
    const { id } = (await api.call('POST', lists, { token, body: { emails } })).json();

    const read = async () => (await api.call('GET', `${lists}/${id}`, { token })).json();
    await expect.poll(async () => (await read()).waiting, { timeout: 20_000 }).not.toEqual([]);

    expect((await read()).waiting).toMatchObject([{ host: 'Big Mail', cause: 'our_limits' }]);
    // An eighth of the limit, because the egress is new.
    expect(worker.world.conduct.host('mx.many.test').recipients).toBeLessThanOrEqual(5);
    await worker.close();
    await api.close();
  }, 60_000);
});
