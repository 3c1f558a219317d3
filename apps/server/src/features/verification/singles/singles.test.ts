import { randomUUID } from 'node:crypto';
import type { SingleValidation, SingleValidationDetail } from '@assay/contract';
import type { Finding, Verifier } from '@assay/verifier';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { productOfFile } from '../../../testing/product.ts';
import { auditLedger, paidWork } from '../../billing/index.ts';
import { storedFindingOf } from '../../engine/index.ts';
import { findSinglesAt, markSinglesComplete } from './singles.store.ts';
import { createSingleVerifier } from './verify-single.ts';

const { api } = await productOfFile();

const path = '/validations/email_validation';
const start = (token: string, body: object, headers: Record<string, string> = {}) =>
  api.call('POST', path, { token, body, headers });
const balanceOf = async (token: string): Promise<number> =>
  (await api.call('GET', '/billing/me', { token })).json().balance;

async function verify(token: string, emailAddress: string): Promise<SingleValidationDetail> {
  const { id } = (await start(token, { email_address: emailAddress })).json<SingleValidation>();
  await expect
    .poll(async () => (await api.call('GET', `${path}/${id}`, { token })).json().status)
    .toBe('COMPLETE');
  return (await api.call('GET', `${path}/${id}`, { token })).json();
}

describe('POST /validations/email_validation', () => {
  it('201 starts a check: PENDING, its credit held at once', async () => {
    const token = await api.tokenFor();

    const answer = await start(token, { email_address: ' jane@exists.test ' });

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      email_address: 'jane@exists.test',
      status: 'PENDING',
      email_address_status: null,
      reason: null,
    });
    expect(await balanceOf(token)).toBe(999);
  });

  it('201 for `email` too, the name that section 7 gives the field', async () => {
    const answer = await start(await api.tokenFor(), { email: 'jane@exists.test' });

    expect(answer.statusCode).toBe(201);
  });

  it.each([[{}], [{ email_address: 'no address' }], [{ email_address: 'a@b@c' }], [{ email_address: '' }]])(
    '400 for %j, with what to change, and nothing is charged',
    async (body) => {
      const token = await api.tokenFor();

      const answer = await start(token, body);

      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors[0]).toMatchObject({
        code: 'email_not_valid',
        message: 'Enter a valid email',
      });
      expect(await balanceOf(token)).toBe(1_000);
    },
  );

  it('400 for an unknown field', async () => {
    const answer = await start(await api.tokenFor(), { email_address: 'jane@exists.test', priority: 1 });

    expect(answer.statusCode).toBe(400);
  });

  it('402 without a credit left, and no check is started', async () => {
    const token = await api.tokenFor();
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    await api.database.db.updateTable('wallets').set({ held: 1_000 }).where('owner_id', '=', id).execute();

    const answer = await start(token, { email_address: 'jane@exists.test' });

    expect(answer.statusCode).toBe(402);
    expect(answer.json().errors[0]).toMatchObject({ code: 'insufficient_credits', meta: { short_by: 1 } });
    expect((await api.call('GET', path, { token })).json().total).toBe(0);
    await api.database.db.updateTable('wallets').set({ held: 0 }).where('owner_id', '=', id).execute();
  });

  it('401 when signed out', async () => {
    expect((await api.call('POST', path, { body: { email_address: 'jane@exists.test' } })).statusCode).toBe(
      401,
    );
  });

  it('201 with the same answer for a repeated Idempotency-Key, also in parallel; one credit', async () => {
    const token = await api.tokenFor();
    const headers = { 'idempotency-key': randomUUID() };
    const twins = await Promise.all(
      Array.from({ length: 8 }, () => start(token, { email_address: 'jane@exists.test' }, headers)),
    );

    expect(new Set(twins.map((answer) => answer.json().id)).size).toBe(1);
    expect((await api.call('GET', path, { token })).json().total).toBe(1);
  });

  it('409 when an Idempotency-Key comes again with another address', async () => {
    const token = await api.tokenFor();
    const headers = { 'idempotency-key': 'once' };
    await start(token, { email_address: 'jane@exists.test' }, headers);

    const answer = await start(token, { email_address: 'joe@exists.test' }, headers);

    expect(answer.statusCode).toBe(409);
  });
});

describe('checks that start at the same time', () => {
  const spendAllBut = async (token: string, credits: number) => {
    const { id } = (await api.call('GET', '/users/me', { token })).json<{ id: string }>();
    await api.database.db
      .transaction()
      .execute((tx) =>
        paidWork({ kind: 'list', ownerId: id, id: randomUUID() }).hold(
          tx,
          1_000 - credits,
          systemClock.now(),
        ),
      );
    return id;
  };
  const startMany = (token: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, place) =>
        start(token, { email_address: `user${place}@exists.test` }),
      ),
    );
  const countOf = (answers: readonly { readonly statusCode: number }[], status: number) =>
    answers.filter(({ statusCode }) => statusCode === status).length;

  it.each([
    [1, 0],
    [16, 10],
    [64, 10],
    [64, 63],
  ])('of %i, exactly as many start as there are credits for: %i', async (count, credits) => {
    const token = await api.tokenFor();
    const ownerId = await spendAllBut(token, credits);
    const other = await api.tokenFor();

    const [answers, others] = await Promise.all([startMany(token, count), startMany(other, 3)]);

    expect([countOf(answers, 201), countOf(answers, 402)]).toEqual([credits, count - credits]);
    expect(countOf(others, 201)).toBe(3);
    expect((await api.call('GET', path, { token })).json().total).toBe(credits);
    const { rows } = await api.database.pool.query(
      `select sum(pending + valid + invalid + catch_all + unknown)::int as counted from validation_metrics where owner_id = $1`,
      [ownerId],
    );
    expect(rows[0].counted ?? 0).toBe(credits);
  });

  it('a limit of the API key lets exactly as many start as it has room for', async () => {
    const token = await api.tokenFor();
    const body = { name: 'Shop', scopes: ['verify'], monthly_credit_limit: 5 };
    const key = (await api.call('POST', '/users/api-keys/more', { token, body })).json();
    const headers = { 'x-api-key': key.api_token };

    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        api.call('POST', path, { headers, body: { email_address: 'jane@exists.test' } }),
      ),
    );

    expect(countOf(answers, 201)).toBe(5);
    expect((await api.call('GET', path, { token })).json().total).toBe(5);
  });
});

describe('a single check', () => {
  it.each([
    ['jane@exists.test', 'VALID', 'mailbox_accepted', 999],
    ['nobody@exists.test', 'INVALID', 'no_such_mailbox', 999],
    ['anyone@catch-all.test', 'CATCH_ALL', 'catch_all', 999],
  ])('§1 costs 1 credit: %s is %s', async (address, verdict, reason, balance) => {
    const token = await api.tokenFor();

    const single = await verify(token, address);

    expect(single).toMatchObject({ email_address_status: verdict, reason: { code: reason } });
    expect(single.evidence.some(({ stage, reply }) => stage === 'rcpt' && reply !== null)).toBe(true);
    expect(await balanceOf(token)).toBe(balance);
  });

  it('§1 results of unknown type are not charged', async () => {
    const token = await api.tokenFor();

    const single = await verify(token, 'max@exists.test');

    expect(single).toMatchObject({ email_address_status: 'UNKNOWN', reason: { code: 'mailbox_full' } });
    expect(await balanceOf(token)).toBe(1_000);
  });

  it('is one entry in the ledger and one check, even when its job runs again', async () => {
    const token = await api.tokenFor();
    const { id: validationId } = await verify(token, 'jane@exists.test');
    const { id } = (await api.call('GET', '/users/me', { token })).json();
    const verifyAgain = vi.fn<Verifier['verify']>();
    const verifier: Partial<Verifier> = { verify: verifyAgain };
    const work = {
      db: api.database.db,
      queue: api.queue,
      clock: systemClock,
      verifier: verifier as Verifier,
      egress: 'test',
    };

    await createSingleVerifier(work)({ ownerId: id, validationId }, new AbortController().signal);

    expect(verifyAgain).not.toHaveBeenCalled();

    const entries = await api.database.db
      .selectFrom('ledger_entries')
      .select(['category', 'amount', 'balance_after'])
      .where('owner_id', '=', id)
      .orderBy('entry_number')
      .execute();

    expect(entries).toEqual([
      { category: 'GRANT', amount: 1_000, balance_after: 1_000 },
      { category: 'VERIFICATION', amount: -1, balance_after: 999 },
    ]);
  });

  it('is stored when its evidence has NUL and half a surrogate pair, which PostgreSQL refuses', async () => {
    const token = await api.tokenFor();
    const { id: validationId } = await verify(token, 'jane@exists.test');
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    const { db } = api.database;
    await sql`
      update single_validations set status = 'IN_PROGRESS', verdict = null where owner_id = ${ownerId}`.execute(
      db,
    );
    const finding = {
      result: 'VALID',
      reason: 'mailbox_accepted',
      flags: {},
      evidence: [{ stage: 'rcpt', host: 'mx\0.test', reply: '250 OK \ud83d' }],
    } as unknown as Finding<unknown>;

    const singles = [{ validationId, finding: storedFindingOf(finding) }];
    await runTransaction(db, (tx) => markSinglesComplete(tx, { ownerId, singles, now: systemClock.now() }));

    const place = { ownerId, validationId };
    const single = (await findSinglesAt(db, [place])).get(place);
    expect(single?.detail?.evidence).toMatchObject([{ host: 'mx\ufffd.test', reply: '250 OK \ufffd' }]);
  });

  it('is tried again when its host defers it', async () => {
    const single = await verify(await api.tokenFor(), 'jane@greylist.test');

    expect(single.email_address_status).toBe('VALID');
  });
});

describe('GET /validations/email_validation', () => {
  it('200 pages through the checks, newest first', async () => {
    const token = await api.tokenFor();
    for (const name of ['one', 'two', 'three']) await start(token, { email_address: `${name}@exists.test` });

    const page = async (number: number) =>
      (await api.call('GET', `${path}?page_size=2&page_number=${number}`, { token })).json();

    expect(await page(1)).toMatchObject({
      total: 3,
      results: [{ email_address: 'three@exists.test' }, { email_address: 'two@exists.test' }],
    });
    expect((await page(2)).results).toHaveLength(1);
    expect((await page(3)).results).toEqual([]);
  });

  it('429 for too many pages far down at once, and 200 for those that waited for their turn', async () => {
    const token = await api.tokenFor();
    await start(token, { email_address: 'jane@exists.test' });
    const lock = await api.database.pool.connect();
    await lock.query('begin');
    await lock.query('lock table single_validations in access exclusive mode');
    const farPage = () => api.call('GET', `${path}?page_size=10&page_number=2000`, { token });
    const pages = Array.from({ length: 7 }, farPage);
    // The others wait for the lock, or for their turn.
    const first = await Promise.race(pages);
    await lock.query('rollback');
    lock.release();

    expect(first.statusCode).toBe(429);
    expect(first.json().errors[0].message).toContain('too many pages far down');
    const codes = (await Promise.all(pages)).map(({ statusCode }) => statusCode);
    expect(codes.toSorted()).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });

  it('400 for page 0', async () => {
    const answer = await api.call('GET', `${path}?page_number=0`, { token: await api.tokenFor() });

    expect(answer.statusCode).toBe(400);
  });

  it('404 for another customer’s check, exactly as for an unknown id', async () => {
    const mine = (await start(await api.tokenFor(), { email_address: 'jane@exists.test' })).json().id;
    const stranger = await api.tokenFor();

    const theirs = await api.call('GET', `${path}/${mine}`, { token: stranger });
    const none = await api.call('GET', `${path}/${randomUUID()}`, { token: stranger });

    expect([theirs.statusCode, none.statusCode]).toEqual([404, 404]);
    expect(theirs.json().errors[0].message).toBe(none.json().errors[0].message);
  });
});

it('leaves a ledger that agrees', async () => {
  expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
});
