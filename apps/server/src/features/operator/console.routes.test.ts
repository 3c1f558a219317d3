import { randomUUID } from 'node:crypto';
import type { RouteContract } from '@assay/contract';
import { operatorRoutes } from '@assay/contract/operator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { auditLedger } from '../billing/index.ts';
import { enqueuePeople } from '../guessing/lists/enqueue-people.ts';
import { scoreCustomers } from './abuse.ts';
import { addOperator } from './index.ts';

const clock = movableClock(new Date());
let api: TestApi;
let operator: { token: string; id: string };
const reason = 'A customer asked for it';

const signUp = async (claims = {}) => {
  const token = await api.tokenFor(claims);
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  return { token, id: id as string };
};
beforeAll(async () => {
  api = await startTestApi({ clock });
  operator = await signUp();
  await addOperator(
    { db: api.database.db, clock },
    { actorId: null, reason },
    { userId: operator.id, role: 'admin' },
  );
});
afterAll(() => api.close());

/** Calls as an operator, and checks that the answer is as the contract has it. */
async function call(
  route: RouteContract,
  { params = {}, query = '', body }: { params?: Record<string, string>; query?: string; body?: unknown } = {},
) {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const answer = await api.call(route.method, `${path}${query}`, { token: operator.token, body });
  if (answer.statusCode >= 400) return answer.json().errors[0].code;
  expect(answer.statusCode).toBe(route.success.status);
  return answer.statusCode === 204 ? null : z.parse(route.success.schema, answer.json());
}
const lastAction = async () => (await call(operatorRoutes.listActions)).results[0];
const newList = async (token: string, emails = ['jane@exists.test']) =>
  (await api.call('POST', '/validations/lists', { token, body: { name: 'Spring', emails } })).json()
    .id as string;

describe('GET /operator/overview', () => {
  it('200 with minutes, providers, errors, egress addresses, disk and no backup', async () => {
    const minute = new Date(clock.now().getTime() - 120_000);
    minute.setUTCSeconds(0, 0);
    const count = (name: string, part: string, detail: string, times: number, bucket = minute) =>
      api.database.pool.query('insert into operation_counts values ($1, $2, $3, $4, $5)', [
        name,
        bucket,
        part,
        detail,
        times,
      ]);
    await count('checks', 'VALID', '', 40);
    await count('checks', 'UNKNOWN', '', 2);
    await count('errors', 'GET /api/users/me', '', 3);
    await count('failed_jobs', 'validations.sweep', '', 1);
    await count('provider_checks', 'Google', 'VALID', 30);
    await count('provider_checks', 'Google', 'UNKNOWN', 10);
    await count('provider_checks', 'Microsoft', 'UNKNOWN', 5);
    await api.database.pool.query(
      `insert into egress_health values ('default', true, false, '[{"check":"port_25","status":"problem","detail":"d","fix":"f"}]', now(), now())`,
    );

    const overview = await call(operatorRoutes.getOverview);
    expect(overview.minutes).toHaveLength(60);
    expect(overview.minutes.at(-3)).toMatchObject({
      date: minute.toISOString(),
      checks: { valid: 40, invalid: 0, catch_all: 0, unknown: 2 },
      errors: 3,
      failed_jobs: 1,
    });
    expect(overview.providers).toEqual([
      { provider: 'Google', checks: { valid: 30, invalid: 0, catch_all: 0, unknown: 10 } },
      { provider: 'Microsoft', checks: { valid: 0, invalid: 0, catch_all: 0, unknown: 5 } },
    ]);
    expect(overview.errors).toEqual([
      { source: 'GET /api/users/me', count: 3 },
      { source: 'validations.sweep', count: 1 },
    ]);
    expect(overview.egresses).toMatchObject([
      { egress: 'default', is_port_closed: true, findings: [{ check: 'port_25', fix: 'f' }] },
    ]);
    expect(overview.disk.free_bytes).toBeGreaterThan(0);
    expect(overview.database_bytes).toBeGreaterThan(0);
    expect(overview.last_backup_date).toBeNull();
    await api.database.pool.query('delete from egress_health');
  });
});

describe('the customers', () => {
  it('200 finds by id and by the beginning of an address or name, and takes wildcards literally', async () => {
    const email = `${randomUUID()}@example.com`;
    const { id } = await signUp({ email, given_name: 'Zoë', family_name: `O'Neil ${email.slice(0, 8)}` });
    const idsOf = async (search: string) =>
      (await call(operatorRoutes.search, { query: `?text=${encodeURIComponent(search)}` })).customers.map(
        (found: { id: string }) => found.id,
      );

    expect(await idsOf(id)).toEqual([id]);
    expect(await idsOf(email.slice(0, 20).toUpperCase())).toEqual([id]);
    expect(await idsOf(`zoë o'neil ${email.slice(0, 8)}`)).toEqual([id]);
    expect(await idsOf(`O'NEIL ${email.slice(0, 8)}`)).toEqual([id]);
    expect(await idsOf(`%${email.slice(1)}`)).toEqual([]);
    expect(await idsOf('')).toContain(id);
  });

  it('200 shows wallet and keys, and no secret; 404 for nobody', async () => {
    const { token, id } = await signUp();
    const { api_token } = (await api.call('POST', '/users/api-keys', { token })).json();
    const scoped = (
      await api.call('POST', '/users/api-keys/more', { token, body: { name: 'Shop', scopes: ['verify'] } })
    ).json();
    await newList(token);
    const detail = await call(operatorRoutes.getCustomer, { params: { customer_id: id } });

    expect(detail).toMatchObject({
      id,
      standing: 'open',
      balance: 999,
      wallet: { balance: 999, held: 1 },
      keys: [{ name: null }, { name: 'Shop', scopes: ['verify'] }],
      abuse: null,
      operator_role: null,
    });
    for (const secret of [api_token, scoped.api_token]) expect(JSON.stringify(detail)).not.toContain(secret);
    expect(await call(operatorRoutes.getCustomer, { params: { customer_id: randomUUID() } })).toBe(
      'customer_not_found',
    );
  });

  it('200 pages through lists of each kind and through the history, newest first; 404 for nobody', async () => {
    const { token, id } = await signUp();
    const params = { customer_id: id };
    const ids: string[] = [];
    for (let list = 0; list < 11; list += 1) {
      ids.unshift(await newList(token));
      clock.advance({ seconds: 1 });
    }
    const listsOf = (query: string) => call(operatorRoutes.listCustomerLists, { params, query });

    const [first, second] = [await listsOf('?kind=emails'), await listsOf('?kind=emails&page_number=2')];
    expect([first.total, second.total]).toEqual([11, 11]);
    expect([...first.results, ...second.results].map((list: { id: string }) => list.id)).toEqual(ids);
    expect(second.results).toMatchObject([
      { kind: 'emails', owner_id: id, name: 'Spring', status: 'PENDING', total: 1 },
    ]);
    expect(await listsOf('?kind=people')).toEqual({ results: [], total: 0 });
    expect(await listsOf('?kind=fruit')).toBe('invalid_request');

    for (let credits = 1; credits <= 11; credits += 1) {
      const body = { credits, key: randomUUID(), reason };
      await call(operatorRoutes.grantCredits, { params, body });
    }
    const amountsOf = async (query: string) =>
      (await call(operatorRoutes.listCustomerTransactions, { params, query })).results.map(
        (entry: { amount: number }) => entry.amount,
      );
    expect(await amountsOf('')).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(await amountsOf('?page_number=2')).toEqual([1, 1_000]);

    for (const route of [operatorRoutes.listCustomerLists, operatorRoutes.listCustomerTransactions]) {
      const query = route === operatorRoutes.listCustomerLists ? '?kind=emails' : '';
      expect(await call(route, { params: { customer_id: randomUUID() }, query })).toBe('customer_not_found');
    }
  });

  it('grants credits once per key, with the reason in the history and in the log, and the ledger agrees', async () => {
    const { id } = await signUp();
    const grant = { params: { customer_id: id }, body: { credits: 500, key: randomUUID(), reason } };

    expect(await call(operatorRoutes.grantCredits, grant)).toEqual({ granted: 500, balance: 1_500 });
    expect(await call(operatorRoutes.grantCredits, grant)).toEqual({ granted: 0, balance: 1_500 });
    expect(await lastAction()).toMatchObject({
      kind: 'customer.credits',
      customer_id: id,
      about: '500 credits',
      reason,
      actor_id: operator.id,
    });
    const { results: transactions } = await call(operatorRoutes.listCustomerTransactions, {
      params: { customer_id: id },
    });
    expect(transactions[0]).toMatchObject({ amount: 500, description: reason });
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
    for (const body of [
      { ...grant.body, credits: 0 },
      { ...grant.body, credits: 1e9 },
      { ...grant.body, reason: '' },
    ])
      expect(await call(operatorRoutes.grantCredits, { ...grant, body })).toBe('invalid_request');
    expect(await call(operatorRoutes.grantCredits, { ...grant, params: { customer_id: randomUUID() } })).toBe(
      'customer_not_found',
    );
  });

  it('switches flags', async () => {
    const { token, id } = await signUp();
    const body = { flag: 'guessing_enabled', is_on: true, reason };
    expect(await call(operatorRoutes.setFlag, { params: { customer_id: id }, body })).toBeNull();

    expect((await api.call('GET', '/users/me', { token })).json().feature_flags.guessing_enabled).toBe(true);
    expect(await lastAction()).toMatchObject({ kind: 'customer.flag', about: 'guessing_enabled on' });
  });
});

describe('coupons', () => {
  it('are created once, listed with their state and disabled', async () => {
    const body = { code: ' spring-26 ', credits: 50, redemptions_max: null, expiration_date: null, reason };
    expect(await call(operatorRoutes.createCoupon, { body })).toEqual({ code: 'SPRING-26' });
    expect(await call(operatorRoutes.createCoupon, { body })).toBe('coupon_exists');
    expect(await call(operatorRoutes.createCoupon, { body: { ...body, code: 'a b' } })).toBe(
      'invalid_request',
    );
    const states = async () =>
      (await call(operatorRoutes.listCoupons)).results.map(
        ({ code, state }: { code: string; state: string }) => [code, state],
      );

    expect(await states()).toEqual([['SPRING-26', 'open']]);
    expect(
      await call(operatorRoutes.disableCoupon, { params: { code: 'spring-26' }, body: { reason } }),
    ).toBeNull();
    expect(await states()).toEqual([['SPRING-26', 'disabled']]);
    expect(await lastAction()).toMatchObject({ kind: 'coupon.disabled', about: 'SPRING-26' });
    expect(await call(operatorRoutes.disableCoupon, { params: { code: 'NOBODY' }, body: { reason } })).toBe(
      'coupon_not_found',
    );
  });
});

describe('stuck lists', () => {
  const stuckOf = async (id: string) =>
    (await call(operatorRoutes.listRunningLists, { query: '?only_stuck=true' })).results.find(
      (list: { id: string }) => list.id === id,
    );

  it('200 says why; restart enqueues the open rows again, finish ends the list without them', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    expect(await stuckOf(listId)).toBeUndefined();
    clock.advance({ minutes: 11 });
    expect(await stuckOf(listId)).toMatchObject({ owner_id, why: 'waiting_for_workers' });
    await api.database.pool.query(`delete from queue.job where data ->> 'listId' = $1`, [listId]);
    expect(await stuckOf(listId)).toMatchObject({ why: 'no_jobs' });

    const order = { params: { list_id: listId }, body: { owner_id, kind: 'emails', reason } };
    expect(await call(operatorRoutes.restartList, order)).toBeNull();
    expect(await stuckOf(listId)).toMatchObject({ why: 'waiting_for_workers' });
    await api.database.pool.query(
      `update queue.job set state = 'retry', retry_count = 4, output = '{"message":"No host."}' where data ->> 'listId' = $1`,
      [listId],
    );
    expect(await stuckOf(listId)).toMatchObject({ why: 'jobs_failing', detail: 'No host.' });
    expect(await call(operatorRoutes.finishList, order)).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'list.finished', customer_id: owner_id, about: listId });
    expect((await api.call('GET', `/validations/lists/${listId}`, { token })).json().run_state).toBe(
      'finishing',
    );
    const elsewhere = { ...order, body: { ...order.body, owner_id: randomUUID() } };
    expect(await call(operatorRoutes.finishList, elsewhere)).toBe('list_not_found');
  });

  it('200 says that a list is being prepared, also while it is paused; failing jobs come first', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    const change = (sets: string) =>
      api.database.pool.query(`update validation_lists set ${sets} where id = $1`, [listId]);
    await change(`status = 'PREPARING', rows_to_copy = 1, rows_copied = 0`);
    const shown = async () =>
      (await call(operatorRoutes.listRunningLists)).results.find(
        (list: { id: string }) => list.id === listId,
      );
    await api.database.pool.query(`update queue.job set state = 'active' where data ->> 'listId' = $1`, [
      listId,
    ]);
    expect(await shown()).toMatchObject({ run_state: 'preparing', is_preparing: true, why: 'preparing' });

    clock.advance({ minutes: 11 });
    await change('paused_at = now()');
    expect(await stuckOf(listId)).toMatchObject({
      run_state: 'paused',
      is_preparing: true,
      why: 'preparing',
    });
    await api.database.pool.query(
      `update queue.job set state = 'retry', retry_count = 4, output = '{"message":"No file."}' where data ->> 'listId' = $1`,
      [listId],
    );
    expect(await stuckOf(listId)).toMatchObject({ why: 'jobs_failing', detail: 'No file.' });
    await change(`status = 'PENDING', paused_at = null, rows_to_copy = null, rows_copied = null`);
    expect(await stuckOf(listId)).toMatchObject({ owner_id, is_preparing: false });
  });

  it('200 with the oldest first, whatever their kind, and the overview counts them', async () => {
    const { token, id: owner_id } = await signUp();
    const emails = await newList(token);
    const people = randomUUID();
    await api.database.pool.query(
      `insert into guess_lists (owner_id, id, name, status, delimiter, total_people, created_at)
       values ($1, $2, 'People', 'PENDING', ',', 1, $3)`,
      [owner_id, people, new Date(clock.now().getTime() - 60_000)],
    );
    clock.advance({ minutes: 11 });
    const { results } = await call(operatorRoutes.listRunningLists, { query: '?only_stuck=true' });

    const ids = results.map((list: { id: string }) => list.id);
    expect(ids.slice(-2)).toEqual([people, emails]);
    expect(await stuckOf(people)).toMatchObject({ why: 'no_jobs' });
    const place = { ownerId: owner_id, listId: people };
    await api.database.db
      .transaction()
      .execute((tx) => enqueuePeople(api.queue, tx, place, 0, [randomUUID()]));
    expect(await stuckOf(people)).toMatchObject({ why: 'waiting_for_workers' });
    expect((await call(operatorRoutes.getOverview)).stuck_lists).toBe(ids.length);
    await api.database.pool.query('delete from guess_lists where id = $1', [people]);
  });

  it('409 for a list that its customer paused, and a list that is being finished already is not logged again', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    const order = { params: { list_id: listId }, body: { owner_id, kind: 'emails', reason } };
    await api.call('POST', `/validations/lists/${listId}/pause`, { token });
    const before = await lastAction();

    expect(await call(operatorRoutes.restartList, order)).toBe('list_paused');
    expect(await lastAction()).toEqual(before);
    expect(await call(operatorRoutes.finishList, order)).toBeNull();
    const finished = await lastAction();
    expect(finished).toMatchObject({ kind: 'list.finished', about: listId });
    expect(await call(operatorRoutes.finishList, order)).toBeNull();
    expect(await lastAction()).toEqual(finished);
    expect(await call(operatorRoutes.restartList, order)).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'list.restarted', about: listId });
  });

  it('stays as it is when its action cannot be logged', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    await api.database.pool.query(
      `alter table operator_actions add constraint refuses_all check (kind <> 'list.finished') not valid`,
    );
    try {
      const order = { params: { list_id: listId }, body: { owner_id, kind: 'emails', reason } };
      expect(await call(operatorRoutes.finishList, order)).toBe('internal_error');
    } finally {
      await api.database.pool.query('alter table operator_actions drop constraint refuses_all');
    }
    const list = (await api.call('GET', `/validations/lists/${listId}`, { token })).json();
    expect(list.run_state).toBe('running');
  });
});

describe('jobs', () => {
  const job = defineJob({ name: 'test.job', payload: z.object({}), expireSeconds: 60, retryLimit: 5 });
  const dead = async () => {
    await api.database.db.transaction().execute((tx) => api.queue.enqueue(tx, job, {}));
    const { rows } = await api.database.pool.query(
      `update queue.job set name = 'dead-letters', source_name = name, source_retry_count = 5,
         source_output = '{"message":"It broke."}' where name = 'test.job' and state = 'created' returning id`,
    );
    return rows[0].id as string;
  };

  it('that failed for good are listed, sent back or removed', async () => {
    const [first, second] = [await dead(), await dead()];
    expect((await call(operatorRoutes.listDeadLetters)).results).toMatchObject([
      { id: first, queue: 'test.job', tries: 6, problem: 'It broke.' },
      { id: second },
    ]);
    expect((await call(operatorRoutes.getOverview)).dead_letters).toBe(2);

    expect(
      await call(operatorRoutes.retryDeadLetter, { params: { job_id: first }, body: { reason } }),
    ).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'dead_letter.retried', about: `test.job ${first}` });
    expect(
      await call(operatorRoutes.discardDeadLetter, { params: { job_id: second }, body: { reason } }),
    ).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'dead_letter.discarded', about: `test.job ${second}` });
    expect((await call(operatorRoutes.listDeadLetters)).results).toEqual([]);
    const { rows } = await api.database.pool.query(
      `select count(*) from queue.job where name = 'test.job' and state = 'created'`,
    );
    expect(rows[0].count).toBe(1);
    expect(await call(operatorRoutes.retryDeadLetter, { params: { job_id: second }, body: { reason } })).toBe(
      'job_not_found',
    );
    await api.database.pool.query(`delete from queue.job where name = 'test.job'`);
  });

  it('that fail again and again are listed, and tried at once', async () => {
    await api.database.db.transaction().execute((tx) => api.queue.enqueue(tx, job, {}));
    await api.database.pool.query(
      `update queue.job set state = 'retry', retry_count = 3, output = '{"message":"Not now."}',
         start_after = now() + interval '1 hour' where name = 'test.job'`,
    );
    const [failing] = (await call(operatorRoutes.listFailingJobs)).results.filter(
      ({ queue }: { queue: string }) => queue === 'test.job',
    );
    expect(failing).toMatchObject({ tries: 3, problem: 'Not now.' });
    // Workers take jobs by the clock of the database.
    clock.advance({ minutes: 5 });

    expect(
      await call(operatorRoutes.retryJobNow, { params: { job_id: failing.id }, body: { reason } }),
    ).toBeNull();
    const { rows } = await api.database.pool.query(
      'select start_after <= now() as is_due from queue.job where id = $1',
      [failing.id],
    );
    expect(rows).toEqual([{ is_due: true }]);
    expect(
      await call(operatorRoutes.retryJobNow, { params: { job_id: randomUUID() }, body: { reason } }),
    ).toBe('job_not_found');
  });
});

describe('GET /operator/call-requests', () => {
  it('200 with the number to call', async () => {
    const { token, id } = await signUp();
    const body = { subject: 'Call Requested', description: 'Please call', phone: '+41446681800' };
    await api.call('POST', '/users/support_cases', { token, body });

    expect((await call(operatorRoutes.listCallRequests)).results[0]).toMatchObject({
      customer_id: id,
      phone: '+41446681800',
      deliveries: [],
    });
  });
});

describe('GET /operator/withheld-credits', () => {
  it('200 with new customers without free credits; granting them is logged, once; 409 when none are withheld', async () => {
    const { id, token } = await signUp({ email: `${randomUUID()}@mailinator.com` });
    const withheld = async () =>
      (await call(operatorRoutes.listWithheldCredits)).results.filter((row: { id: string }) => row.id === id);
    const wallet = async () => (await api.call('GET', '/billing/me', { token })).json();
    const order = { params: { customer_id: id }, body: { proves_domain: false, reason } };
    expect(await withheld()).toMatchObject([{ withheld_because: 'disposable_domain', balance: 0 }]);
    expect(await wallet()).toMatchObject({ balance: 0, free_credits_withheld: 'disposable_domain' });
    const history = await api.call('GET', '/billing/me/transactions?hide_zero=true', { token });
    expect(history.json().results).toMatchObject([
      { amount: 0, description: expect.stringContaining('You have no free credits') },
    ]);

    expect(await call(operatorRoutes.releaseCredits, order)).toEqual({ granted: 1_000, balance: 1_000 });

    expect(await wallet()).toMatchObject({ balance: 1_000, free_credits_withheld: null });
    expect(await lastAction()).toMatchObject({
      kind: 'customer.credits',
      customer_id: id,
      about: '1000 withheld credits',
      reason,
    });
    expect(await withheld()).toEqual([]);
    expect(await call(operatorRoutes.releaseCredits, order)).toBe('credits_not_withheld');
  });
});

describe('GET /operator/abuse', () => {
  it('200 with the customers whose lists look harvested, the highest score first', async () => {
    const { token, id } = await signUp();
    const { id: innocent, token: theirs } = await signUp();
    await newList(
      token,
      Array.from({ length: 200 }, (_, place) => `jane@company${place}.example`),
    );
    await newList(
      theirs,
      Array.from({ length: 200 }, (_, place) => `person${place}@company${place % 90}.example`),
    );
    await scoreCustomers({ db: api.database.db, clock }, AbortSignal.timeout(60_000));
    const { results } = await call(operatorRoutes.listSuspects);

    expect(results[0]).toMatchObject({
      id,
      abuse: { score: 25, reasons: ['100% have the same name at different domains'] },
    });
    expect(results.map((suspect: { id: string }) => suspect.id)).not.toContain(innocent);
    const { abuse } = await call(operatorRoutes.getCustomer, { params: { customer_id: id } });
    expect(abuse).toMatchObject({ score: 25 });
  });
});
