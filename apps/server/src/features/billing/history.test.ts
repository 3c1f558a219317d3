import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { captureHold, grantCredits, placeHold } from './credit-ledger.store.ts';

type Entry = { category: string; source: string; amount: number };

describe('GET /billing/me/transactions', () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  let api: TestApi;
  let token: string;
  const listIds = Array.from({ length: 31 }, () => randomUUID());

  beforeAll(async () => {
    api = await startTestApi({ clock });
    token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    for (let index = 1; index <= 30; index += 1) {
      clock.advance({ minutes: 1 });
      const now = clock.now();
      await api.database.db.transaction().execute(async (tx) => {
        if (index % 2 === 0) {
          const key = `gift:${index}` as const;
          const words = { category: 'GRANT', source: 'SUPPORT', description: `Gift ${index}` } as const;
          await grantCredits(tx, { ownerId, key, credits: index, now, ...words });
          return;
        }
        const reference = `list:${listIds[index] ?? ''}` as const;
        const words = { category: 'VERIFICATION', source: 'LIST', description: `List ${index}` } as const;
        await placeHold(tx, { ownerId, reference, credits: 20, now });
        await captureHold(tx, { ownerId, reference, dueCredits: index % 15, now, ...words });
      });
    }
  });
  afterAll(() => api.close());

  const list = async (query = '') =>
    (await api.call('GET', `/billing/me/transactions${query}`, { token })).json();

  it('§3 Transaction: 200 with results, newest first, and the total; §9 ten to a page', async () => {
    const page = await list();

    expect(page.total).toBe(31);
    expect(page.results).toHaveLength(10);
    expect(page.results[0]).toEqual({
      number: 31,
      category: 'GRANT',
      source: 'SUPPORT',
      description: 'Gift 30',
      amount: 30,
      balance_after: page.results[1].balance_after + 30,
      creation_date: '2026-03-01T12:30:00.000Z',
      list: null,
      invoice_id: null,
    });
  });

  it('pages by 10, 25 or 50, and every entry is on exactly one page', async () => {
    const numbers: number[] = [];
    for (const page of [1, 2]) {
      const { results } = await list(`?page_size=25&page_number=${page}`);
      numbers.push(...results.map(({ number }: { number: number }) => number));
    }

    expect(numbers).toEqual(Array.from({ length: 31 }, (_, index) => 31 - index));
    expect((await list('?page_size=50')).results).toHaveLength(31);
    expect(await list('?page_number=99')).toEqual({ results: [], total: 31 });
  });

  it('each balance is the previous balance plus the amount, from the first entry on', async () => {
    const { results } = await list('?page_size=50');
    const oldestFirst: { amount: number; balance_after: number }[] = results.toReversed();
    let balance = 0;
    for (const { amount, balance_after } of oldestFirst) {
      balance += amount;
      expect(balance_after).toBe(balance);
    }
    expect(oldestFirst[0]).toMatchObject({ category: 'GRANT', source: 'SIGN_UP', amount: 1_000 });
  });

  it('filters by type and source, and leaves out entries of 0', async () => {
    const all = (await list('?page_size=50')).results;
    for (const [query, wanted] of [
      ['category=VERIFICATION', ({ category }: Entry) => category === 'VERIFICATION'],
      ['source=SUPPORT', ({ source }: Entry) => source === 'SUPPORT'],
      ['category=GRANT&source=SIGN_UP', ({ source }: Entry) => source === 'SIGN_UP'],
      ['category=COUPON', () => false],
      ['hide_zero=true', ({ amount }: Entry) => amount !== 0],
    ] as const) {
      const expected = all.filter(wanted);
      const page = await list(`?page_size=5&page_number=2&${query}`);
      expect([query, page.total]).toEqual([query, expected.length]);
      expect(page.results).toEqual(expected.slice(5, 10));
    }
    expect((await list('?hide_zero=false')).total).toBe(31);
  });

  it('names lists that exist, and says of which list an entry is when it is gone', async () => {
    const other = await api.tokenFor();
    const made = await api.call('POST', '/validations/lists', {
      token: other,
      body: { name: 'spring', emails: ['jane@exists.test'] },
    });
    const { id } = made.json();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token: other })).json();
    const words = { category: 'VERIFICATION', source: 'LIST', description: 'List verification' } as const;
    await api.database.db
      .transaction()
      .execute((tx) =>
        captureHold(tx, { ownerId, reference: `list:${id}`, dueCredits: 1, now: clock.now(), ...words }),
      );
    const newest = (await api.call('GET', '/billing/me/transactions', { token: other })).json().results[0];

    expect(newest).toMatchObject({
      description: words.description,
      list: { id, kind: 'emails', name: 'spring' },
    });
    expect((await list('?category=VERIFICATION')).results[0].list).toEqual({
      id: listIds[29],
      kind: 'emails',
      name: null,
    });
  });

  it('200 without the name of a list from the moment it is deleted', async () => {
    const other = await api.tokenFor();
    const made = await api.call('POST', '/validations/lists', {
      token: other,
      body: { name: 'autumn', emails: ['jane@exists.test'] },
    });
    const { id } = made.json();
    await api.call('DELETE', `/validations/lists/${id}`, { token: other });

    const newest = (await api.call('GET', '/billing/me/transactions', { token: other })).json().results[0];

    expect(newest.list).toEqual({ id, kind: 'emails', name: null });
  });

  it('exports what the filter leaves as CSV, behind a signed link', async () => {
    const made = await api.call(
      'POST',
      '/billing/me/transactions/export?category=VERIFICATION&hide_zero=true',
      {
        token,
      },
    );
    const path = made.json().download_link.replace(/^.*\/api/, '');
    const file = await api.call('GET', path);
    const rows = file.body.replace('\uFEFF', '').trimEnd().split('\n');

    expect(file.headers['content-disposition']).toContain('Credits history.csv');
    expect(rows[0]).toBe('date,type,source,detail,list,amount,balance,invoice');
    expect(rows).toHaveLength(15);
    expect(rows[1]).toMatch(/^2026-03-01T12:29:00\.000Z,VERIFICATION,LIST,List 29,,-14,\d+,$/);
    expect(
      (
        await api.call(
          'GET',
          path.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')),
        )
      ).statusCode,
    ).toBe(404);
  });

  it('200 without the entries of other customers', async () => {
    const other = await api.tokenFor();

    expect((await api.call('GET', '/billing/me/transactions', { token: other })).json().total).toBe(1);
  });

  it.each(['?page_size=0', '?page_size=1000', '?page_number=0', '?page_number=x', '?sort=asc'])(
    '400 for %s',
    async (query) => {
      const answer = await api.call('GET', `/billing/me/transactions${query}`, { token });
      expect(answer.statusCode).toBe(400);
    },
  );

  it('§6 401 when signed out', async () => {
    expect((await api.call('GET', '/billing/me/transactions')).statusCode).toBe(401);
  });
});

describe('GET /billing/me/transactions?group_singles=true', () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  let api: TestApi;
  let token: string;
  let ownerId: string;
  let keyId: string;
  beforeAll(async () => {
    api = await startTestApi({ clock });
    const claims = { sub: randomUUID() };
    token = await api.tokenFor(claims);
    ({ id: ownerId } = (await api.call('GET', '/users/me', { token })).json());
    const body = { name: 'Web shop', mode: 'live', scopes: ['verify'] };
    ({ id: keyId } = (await api.call('POST', '/users/api-keys/more', { token, body })).json());
    const check = async (key: string | null, credits = 1) => {
      clock.advance({ minutes: 1 });
      const reference = `single:${randomUUID()}` as const;
      const words = {
        category: 'VERIFICATION',
        source: 'SINGLE',
        description: 'Single verification',
      } as const;
      await api.database.db.transaction().execute(async (tx) => {
        const now = clock.now();
        await placeHold(tx, { ownerId, reference, credits: 1, now, ...(key && { apiKeyId: key }) });
        await captureHold(tx, { ownerId, reference, dueCredits: credits, now, ...words });
      });
    };
    for (const key of [null, keyId, null, keyId, keyId]) await check(key);
    await check(null, 0);
    clock.advance({ days: 1 });
    await check(keyId);
    // The first token has expired.
    token = await api.tokenFor(claims);
  });
  afterAll(() => api.close());

  const list = async (query = '') =>
    (await api.call('GET', `/billing/me/transactions?group_singles=true${query}`, { token })).json();

  it('200: the checks of a day and key are one entry, with their sum and the balance after the last of them', async () => {
    const { results, total } = await list();
    const shown = results.map(
      ({
        description,
        amount,
        balance_after,
        checks,
      }: { checks?: { count: number; key: { name: string } | null } } & Record<string, unknown>) => [
        description,
        amount,
        balance_after,
        checks?.count,
        checks?.key?.name,
      ],
    );
    expect(shown).toEqual([
      ['Single verification', -1, 994, 1, 'Web shop'],
      ['3 single verifications', -2, 995, 3, undefined],
      ['3 single verifications', -3, 995, 3, 'Web shop'],
      ['Welcome credits', 1_000, 1_000, undefined, undefined],
    ]);
    expect(total).toBe(4);
    expect((await list('&page_size=10&page_number=2')).results).toEqual([]);
  });

  it('200: filters count too, and without the wish every check is an entry', async () => {
    expect(await list('&hide_zero=true&source=SINGLE')).toMatchObject({
      total: 3,
      results: [{ amount: -1 }, { amount: -3 }, { amount: -2, checks: { count: 2 } }],
    });
    const { total } = (await api.call('GET', '/billing/me/transactions', { token })).json();
    expect(total).toBe(8);
  });

  it('200: the checks of a revoked key have no name', async () => {
    await api.call('DELETE', `/users/api-keys/more/${keyId}`, { token });
    expect((await list()).results[0]).toMatchObject({ checks: { key: { id: keyId, name: null } } });
  });
});
