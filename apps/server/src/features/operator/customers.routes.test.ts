import { randomUUID } from 'node:crypto';
import { operatorRoutes } from '@assay/contract/operator';
import { afterAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../billing/index.ts';
import { saveBills } from '../engine/index.ts';
import { scoreCustomers } from './abuse.ts';
import { startConsole } from './testing/console.ts';

const { api, clock, operator, signUp, call, lastAction } = await startConsole('admin');
afterAll(() => api.close());
const reason = 'A customer asked for it';
const newList = async (token: string, emails = ['jane@exists.test']) =>
  (await api.call('POST', '/validations/lists', { token, body: { name: 'Spring', emails } })).json()
    .id as string;

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

describe('questions to mail providers', () => {
  /** `unknown` of `questions` recipients. */
  const billOf = (provider: string, questions: number, unknown: number) =>
    new Map([[provider, { questions, proofs: 1, controls: 2, unknown, blocked: 0 }]]);

  it('200 who asked what: by provider, by customer, and by list of one customer', async () => {
    const [{ token, id }, { id: other }] = [await signUp(), await signUp()];
    const listId = await newList(token);
    await saveBills(api.database.db, [
      { ownerId: id, listId, bill: billOf('Google', 100, 30) },
      { ownerId: id, bill: billOf('Google', 10, 5) },
      { ownerId: other, bill: billOf('Google', 50, 1) },
      { ownerId: other, listId: randomUUID(), bill: billOf('Yahoo', 7, 7) },
    ]);

    const { providers, accounts } = await call(operatorRoutes.getQuestions, { query: '?days=7' });
    expect(providers).toEqual([
      { provider: 'Google', questions: 160, proofs: 3, controls: 6, unknown: 36, blocked: 0 },
      { provider: 'Yahoo', questions: 7, proofs: 1, controls: 2, unknown: 7, blocked: 0 },
    ]);
    expect(
      accounts.map(
        ({ owner, provider, unknown }: { owner: { id: string }; provider: string; unknown: number }) => [
          owner.id,
          provider,
          unknown,
        ],
      ),
    ).toEqual([
      [id, 'Google', 35],
      [other, 'Yahoo', 7],
      [other, 'Google', 1],
    ]);
    const questionsOf = (customerId: string, query = '') =>
      call(operatorRoutes.listCustomerQuestions, { params: { customer_id: customerId }, query });
    expect((await questionsOf(id)).results).toMatchObject([
      { list: { id: listId, name: 'Spring' }, questions: 100 },
      { list: null, questions: 10 },
    ]);
    expect((await questionsOf(other)).results).toMatchObject([
      { list: { name: null }, provider: 'Yahoo' },
      { list: null },
    ]);
    await api.database.pool.query('update question_bills set day = day - 40 where owner_id = $1', [other]);
    expect((await questionsOf(other)).results).toEqual([]);
    expect((await questionsOf(other, '?days=365')).results).toHaveLength(2);
    expect(await questionsOf(randomUUID())).toBe('customer_not_found');
    expect(await questionsOf(id, '?days=0')).toBe('invalid_request');
  });

  it('about mailboxes that nobody knows raise the abuse score, without any list', async () => {
    const { id } = await signUp();
    await saveBills(api.database.db, [{ ownerId: id, bill: billOf('Google', 1_000, 900) }]);
    await scoreCustomers({ db: api.database.db, clock }, AbortSignal.timeout(60_000));

    const { abuse } = await call(operatorRoutes.getCustomer, { params: { customer_id: id } });
    expect(abuse).toMatchObject({
      score: 36,
      reasons: ['mail hosts did not know 90% of 1,000 recipients'],
    });
  });
});
