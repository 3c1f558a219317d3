import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestApi } from '../../testing/api.ts';
import { productOfFile } from '../../testing/product.ts';
import { signUpWithCredits } from '../billing/testing/accounts.ts';
import { setFeatureFlag } from '../users/index.ts';
import {
  audit,
  balanceOf,
  type GuessingCustomer,
  guess,
  newGuessingCustomer,
  startGuess,
} from './testing/guessing-customer.ts';

const { api } = await productOfFile();

const path = '/guessing/email_guess';
const jane = { first_name: 'Jane', last_name: 'Doe' };
const historyOf = async ({ token }: GuessingCustomer) =>
  (await api.call('GET', '/billing/me/transactions', { token })).json().results;

/** The addresses that were asked for, shown or not. */
const triesOf = async ({ id }: { id: string }): Promise<string[]> => {
  const { tries } = await api.database.db
    .selectFrom('guesses')
    .select('tries')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return tries.map(({ emailAddress }) => emailAddress);
};

describe('§6 guessing_enabled', () => {
  it('404 like an unknown path for a customer without the flag, also after it was removed', async () => {
    const customer = await newGuessingCustomer(api);
    const without = { token: await api.tokenFor(), userId: '' };
    const never = (await api.call('GET', '/guessing-of-nothing', { token: without.token })).json();

    await setFeatureFlag(api.database.db, customer.userId, { flag: 'guessing_enabled', isOn: false });

    for (const { token } of [customer, without]) {
      const read = await api.call('GET', path, { token });
      expect(read.statusCode).toBe(404);
      expect(read.json().errors[0]).toMatchObject({
        code: never.errors[0].code,
        message: never.errors[0].message,
      });
      expect((await startGuess(api, { token, userId: '' }, { nonsense: true })).statusCode).toBe(404);
      expect((await api.call('GET', '/guessing/lists', { token })).statusCode).toBe(404);
      expect((await api.call('POST', '/guessing/lists_bulk', { token, body: {} })).statusCode).toBe(404);
    }
  });

  it('401 when signed out; a program with the customer’s API key may guess', async () => {
    const customer = await newGuessingCustomer(api);
    const { api_token } = (await api.call('POST', '/users/api-keys', { token: customer.token })).json();

    expect((await api.call('GET', path)).statusCode).toBe(401);
    const byKey = await api.call('POST', path, {
      headers: { 'x-api-key': api_token },
      body: { ...jane, domain: 'dotted.test' },
    });
    expect(byKey.statusCode).toBe(201);
  });
});

describe('a guess of somebody who is suppressed', () => {
  it.each([
    ['by the likeliest address', 'jane.doe@dotted.test'],
    ['by the domain', 'dotted.test'],
  ])('asks nobody and costs nothing, %s', async (_what, target) => {
    const customer = await newGuessingCustomer(api);
    const body = { entries: [{ target }] };
    await api.call('POST', '/suppressions', { token: customer.token, body });

    const ended = await guess(api, customer, { ...jane, domain: 'dotted.test' });

    expect(ended).toMatchObject({ outcome: 'UNKNOWN', email_address: null, reason: { code: 'suppressed' } });
    expect(await balanceOf(api, customer)).toBe(1_000);
  });
});

describe('POST /guessing/email_guess', () => {
  it('201 starts a guess, its credit held at once', async () => {
    const customer = await newGuessingCustomer(api);

    const answer = await startGuess(api, customer, { ...jane, domain: ' https://www.Dotted.test/team ' });

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      ...jane,
      domain: 'dotted.test',
      status: 'PENDING',
      outcome: null,
      email_address: null,
      reason: null,
    });
    expect((await api.call('GET', path, { token: customer.token })).json().total).toBe(1);
  });

  it.each([
    ['no name', { domain: 'dotted.test' }, 'guess_name_required', 'first_name'],
    ['another script', { first_name: 'Иван', domain: 'dotted.test' }, 'guess_name_not_latin', 'first_name'],
    ['a free-mail provider', { ...jane, domain: 'gmail.com' }, 'guess_domain_not_company', 'domain'],
    ['a disposable domain', { ...jane, domain: 'mailinator.com' }, 'guess_domain_not_company', 'domain'],
    ['one below it', { ...jane, domain: 'x.mailinator.com' }, 'guess_domain_not_company', 'domain'],
    ['no domain', { ...jane, domain: 'acme' }, 'invalid_request', 'domain'],
    ['signs in a name', { first_name: '<b>', domain: 'dotted.test' }, 'invalid_request', 'first_name'],
    [
      'a profile without a name',
      { linkedin_url: 'https://x.test', domain: 'dotted.test' },
      'invalid_request',
      'linkedin_url',
    ],
    ['an unknown field', { ...jane, domain: 'dotted.test', cap: 99 }, 'invalid_request', undefined],
  ])('400 for %s, with what to change, and nothing is charged', async (_what, body, code, field) => {
    const customer = await newGuessingCustomer(api);

    const answer = await startGuess(api, customer, body);

    expect(answer.statusCode).toBe(400);
    const [error] = answer.json().errors;
    expect(error.code).toBe(code);
    if (field) expect(JSON.stringify(error.meta)).toContain(field);
    expect(await balanceOf(api, customer)).toBe(1_000);
  });

  it('402 without a credit left, and no guess is started', async () => {
    const customer = await newGuessingCustomer(api);
    const wallets = (held: number) =>
      api.database.db.updateTable('wallets').set({ held }).where('owner_id', '=', customer.userId).execute();
    await wallets(1_000);

    const answer = await startGuess(api, customer, { ...jane, domain: 'dotted.test' });

    expect(answer.statusCode).toBe(402);
    expect((await api.call('GET', path, { token: customer.token })).json().total).toBe(0);
    await wallets(0);
  });

  it('201 with the same answer for a repeated Idempotency-Key, also in parallel; one guess', async () => {
    const customer = await newGuessingCustomer(api);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { ...jane, domain: 'dotted.test' };

    const twins = await Promise.all(
      Array.from({ length: 6 }, () => startGuess(api, customer, body, headers)),
    );

    expect(new Set(twins.map((answer) => answer.json().id)).size).toBe(1);
    expect((await startGuess(api, customer, { ...body, last_name: 'Roe' }, headers)).statusCode).toBe(409);
    expect((await api.call('GET', path, { token: customer.token })).json().total).toBe(1);
  });

  it('201 for parallel calls with one Idempotency-Key when balance or domain allow only one', async () => {
    const strict = await startTestApi({ beside: api, env: { GUESS_PEOPLE_PER_DOMAIN_AND_CUSTOMER: '1' } });
    const customer = await signUpWithCredits(api, 1);
    await setFeatureFlag(api.database.db, customer.userId, { flag: 'guessing_enabled', isOn: true });
    const headers = { 'idempotency-key': randomUUID() };

    const twins = await Promise.all(
      Array.from({ length: 4 }, () =>
        startGuess(strict, customer, { ...jane, domain: 'dotted.test' }, headers),
      ),
    );

    expect(twins.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    expect(new Set(twins.map((answer) => answer.json().id)).size).toBe(1);
    await strict.close();
  });

  it('429 beyond the daily limit of a domain, for one customer and for all together', async () => {
    const strict = await startTestApi({
      beside: api,
      env: { GUESS_PEOPLE_PER_DOMAIN: '3', GUESS_PEOPLE_PER_DOMAIN_AND_CUSTOMER: '2' },
    });
    const [ann, bob] = [await newGuessingCustomer(strict), await newGuessingCustomer(strict)];
    const ask = async (customer: GuessingCustomer, domain: string) =>
      (await startGuess(strict, customer, { ...jane, domain })).statusCode;

    // Another process counts with it: the limits are in the database.
    expect(await ask(ann, 'no-such-company.test')).toBe(201);
    expect(await ask(ann, 'no-such-company.test')).toBe(201);
    expect(await ask(ann, 'no-such-company.test')).toBe(429);
    expect(await ask(bob, 'no-such-company.test')).toBe(201);
    expect(await ask(bob, 'no-such-company.test')).toBe(429);
    expect(await ask(bob, 'another-company.test')).toBe(201);
    const refused = await startGuess(strict, bob, { ...jane, domain: 'no-such-company.test' });
    expect(refused.json().errors[0]).toMatchObject({ code: 'guess_domain_limit', meta: { field: 'domain' } });
    expect((await strict.call('GET', path, { token: ann.token })).json().total).toBe(2);
    await strict.close();
  });
});

describe('a guess', () => {
  it.each([
    ['Jane', 'Doe', 'jane.doe@dotted.test'],
    ['Jan', 'van der Berg', 'jan.vanderberg@dotted.test'],
    ['Jean-Luc', 'Picard', 'jean-luc.picard@dotted.test'],
    ['José', 'Núñez', 'jose.nunez@dotted.test'],
    ['Ann', 'Smith-Jones', 'ann.smith-jones@dotted.test'],
    ['Jürgen', 'Müller', 'juergen.mueller@dotted.test'],
    ['Sukarno', '', 'sukarno@dotted.test'],
  ])(
    '%s %s is proved as %s: FOUND with its evidence, 1 credit, one entry',
    async (first_name, last_name, address) => {
      const customer = await newGuessingCustomer(api);

      const found = await guess(api, customer, { first_name, last_name, domain: 'dotted.test' });

      expect(found).toMatchObject({
        outcome: 'FOUND',
        email_address: address,
        reason: { code: 'mailbox_accepted' },
      });
      expect(found.tries.at(-1)).toMatchObject({ email_address: address, email_address_status: 'VALID' });
      expect(found.evidence.some(({ stage, reply }) => stage === 'rcpt' && reply !== null)).toBe(true);
      expect(await balanceOf(api, customer)).toBe(999);
      const [entry, ...others] = await historyOf(customer);
      expect(entry).toMatchObject({ category: 'GUESSING', source: 'SINGLE', amount: -1, balance_after: 999 });
      expect(others).toHaveLength(1);
    },
  );

  it('reads the name from a LinkedIn profile address', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, {
      linkedin_url: 'https://www.linkedin.com/in/jane-doe-1a2b3c',
      domain: 'dotted.test',
    });

    expect(found).toMatchObject({ ...jane, outcome: 'FOUND', email_address: 'jane.doe@dotted.test' });
  });

  it('NOT_FOUND when every likely address is refused, within the cap: one credit, and one verdict is shown', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, {
      first_name: 'Nobody',
      last_name: 'Here',
      domain: 'exists.test',
    });

    expect(found).toMatchObject({
      outcome: 'NOT_FOUND',
      email_address: null,
      reason: { code: 'no_likely_address' },
    });
    expect((await triesOf(found)).length).toBe(api.config.guessing.triesMax);
    expect(found.tries).toHaveLength(1);
    expect(await balanceOf(api, customer)).toBe(999);
    expect((await historyOf(customer))[0]).toMatchObject({ category: 'GUESSING', amount: -1 });
  });

  it('NOT_FOUND at once at a domain that takes no mail', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, { ...jane, domain: 'no-such-domain-at-all.test' });

    expect(found).toMatchObject({ outcome: 'NOT_FOUND', reason: { code: 'no_such_domain' } });
    expect(found.tries).toHaveLength(1);
  });

  it('CATCH_ALL with the likeliest address after one try, for one credit', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, { ...jane, domain: 'catch-all.test' });

    expect(found).toMatchObject({ outcome: 'CATCH_ALL', email_address: 'jane.doe@catch-all.test' });
    expect(found.tries).toHaveLength(1);
    expect(await balanceOf(api, customer)).toBe(999);
  });

  it('UNKNOWN when the host gives no answer: one try, for free', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, { ...jane, domain: 'blocked-banner.test' });

    expect(found).toMatchObject({ outcome: 'UNKNOWN', email_address: null, reason: { code: 'blocked' } });
    expect(found.tries).toHaveLength(1);
    expect(await balanceOf(api, customer)).toBe(1_000);
  });

  it('UNKNOWN, not NOT_FOUND, when one mailbox is full and the others are refused', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, { first_name: 'Max', last_name: 'Full', domain: 'dotted.test' });

    expect(found).toMatchObject({ outcome: 'UNKNOWN', reason: { code: 'mailbox_full' } });
    expect((await triesOf(found)).length).toBeGreaterThan(1);
    // The refused addresses are not charged, so they are not shown.
    expect(found.tries.map(({ email_address_status }) => email_address_status)).toEqual(['UNKNOWN']);
    expect(await balanceOf(api, customer)).toBe(1_000);
  });

  it('tries again when the host defers', async () => {
    const customer = await newGuessingCustomer(api);

    const found = await guess(api, customer, { first_name: 'Jane', domain: 'greylist.test' });

    expect(found).toMatchObject({ outcome: 'FOUND', email_address: 'jane@greylist.test' });
  });

  it('learns the pattern of a domain: finds the second person with the first try', async () => {
    const [ann, bob] = [await newGuessingCustomer(api), await newGuessingCustomer(api)];

    const first = await guess(api, ann, {
      first_name: 'Grace',
      last_name: 'Hopper',
      domain: 'initials.test',
    });
    const second = await guess(api, bob, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      domain: 'initials.test',
    });

    expect(await triesOf(first)).toEqual(['grace.hopper@initials.test', 'ghopper@initials.test']);
    expect(first.tries.map(({ email_address }) => email_address)).toEqual(['ghopper@initials.test']);
    expect(await triesOf(second)).toEqual(['alovelace@initials.test']);
  });

  it('is no cheaper checker: every verdict that it shows costs what a check costs, and the answer says so', async () => {
    const customer = await newGuessingCustomer(api);
    const single = (first_name: string, domain: string) => guess(api, customer, { first_name, domain });
    const guesses = [
      await single('Jane', 'dotted.test'),
      await single('Nobody', 'exists.test'),
      await single('Jane', 'catch-all.test'),
      await single('Jane', 'no-such-domain-at-all.test'),
      await single('Jane', 'blocked-banner.test'),
      await guess(api, customer, { first_name: 'Nobody', last_name: 'Here', domain: 'exists.test' }),
    ];

    for (const { tries, charged_credits, outcome } of guesses) {
      const verdicts = tries.filter(({ email_address_status }) => email_address_status !== 'UNKNOWN');
      expect([outcome, charged_credits]).toEqual([outcome, verdicts.length]);
    }
    const charged = guesses.reduce((sum, { charged_credits }) => sum + (charged_credits ?? 0), 0);
    expect([charged, await balanceOf(api, customer)]).toEqual([5, 995]);
  });

  it('shows no verdict before its end, and one that was ordered at the earlier price none that was free', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await guess(api, customer, {
      first_name: 'Nobody',
      last_name: 'Here',
      domain: 'exists.test',
    });
    const tries = async (change: string) => {
      await api.database.pool.query(`update guesses set ${change} where id = $1`, [id]);
      const answer = await api.call('GET', `${path}/${id}`, { token: customer.token });
      return [answer.json().charged_credits, answer.json().tries];
    };

    expect(await tries(`status = 'IN_PROGRESS', outcome = null`)).toEqual([null, []]);
    expect(await tries(`status = 'COMPLETE', outcome = 'NOT_FOUND', charges_every_answer = false`)).toEqual([
      0,
      [],
    ]);
    expect((await tries('charges_every_answer = true'))[0]).toBe(1);
  });

  it('404 for a guess of another customer', async () => {
    const found = await guess(api, await newGuessingCustomer(api), { ...jane, domain: 'dotted.test' });
    const other = await newGuessingCustomer(api);

    expect((await api.call('GET', `${path}/${found.id}`, { token: other.token })).statusCode).toBe(404);
    expect((await api.call('GET', path, { token: other.token })).json()).toEqual({ results: [], total: 0 });
  });

  it('leaves a ledger that agrees', async () => {
    expect(await audit(api)).toEqual([]);
  });

  it('is reported by the audit when its charge was changed', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await guess(api, customer, { ...jane, domain: 'dotted.test' });
    const holds = (captured: number) =>
      api.database.db.updateTable('holds').set({ captured }).where('reference', '=', `guess:${id}`).execute();

    await holds(0);

    expect(await audit(api)).toContainEqual({
      ownerId: customer.userId,
      finding: 'guess_charge',
      subject: `guess:${id}`,
      expected: 1,
      actual: 0,
    });
    await holds(1);
  });
});
