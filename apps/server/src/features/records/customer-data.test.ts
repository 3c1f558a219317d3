import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { readZip } from '../../testing/read-sheets.ts';
import { newGuessingCustomer, startGuess, startList } from '../guessing/testing/guessing-customer.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const askFor = (token: string) => api.call('POST', '/users/me/data', { token });
const linkFor = async (token: string): Promise<string> => (await askFor(token)).json().download_link;

describe('POST /users/me/data', () => {
  it('200 with a link to an archive of everything, and of no secret', async () => {
    const customer = await newGuessingCustomer(api);
    const { token, userId } = customer;
    const call = async (path: string, body?: unknown) =>
      (await api.call('POST', path, { token, body })).json();
    const key = await call('/users/api-keys');
    const hook = await call('/users/webhooks', { url: 'https://hooks.example/assay' });
    const feed = await call('/outcomes/feeds', { sender: 'postmark' });
    const list = await call('/validations/lists', {
      name: 'Spring',
      emails: ['jane@exists.test', '=1+1@exists.test'],
    });
    await api.database.pool.query(
      `insert into single_validations (owner_id, id, email_address, status, verdict, reason, detail, created_at, completed_at)
       values ($1, $2, 'max@exists.test', 'COMPLETE', 'VALID', 'mailbox_accepted', '{}', now(), now())`,
      [userId, randomUUID()],
    );
    await startGuess(api, customer, { first_name: 'Ada', last_name: 'Lovelace', domain: 'dotted.test' });
    const people = await startList(api, customer, 'name,domain\nGrace Hopper,dotted.test\n');
    await api.database.pool.query(
      `insert into mailbox_credentials (owner_id, id, provider, account_email, sealed_tokens, key_id, refresh_at, created_at)
       values ($1, $2, 'GOOGLE', 'warm@exists.test', 'sealed-tokens', 'k1', now(), now())`,
      [userId, randomUUID()],
    );

    await api.database.pool.query(
      `insert into question_bills (owner_id, day, work_id, provider, questions, proofs, controls, unknown, blocked)
       values ($1, current_date, $2, 'Google', 7, 2, 1, 3, 0)`,
      [userId, randomUUID()],
    );
    await api.call('PUT', '/billing/me/alerts', { token, body: { thresholds: [50] } });
    await call('/suppressions', { entries: [{ target: 'no-more@exists.test', reason: 'complaint' }] });
    await call('/users/support_cases', { subject: 'Call Requested', description: 'Call +4915112345678' });

    const complaint = { email: 'ada@exists.test', kind: 'complaint', at: '2026-11-10T10:00:00Z' };
    await call('/outcomes', { outcomes: [complaint] });

    const file = await api.app.inject({ url: await linkFor(token) });

    expect(file.statusCode).toBe(200);
    expect(file.headers['content-type']).toBe('application/zip');
    expect(file.headers['content-disposition']).toContain('filename="Assay data.zip"');
    const parts = new Map(readZip(file.rawPayload).map(({ name, text }) => [name, text]));
    expect([...parts.keys()]).toEqual([
      'profile.json',
      'sign-in.json',
      'api-keys.json',
      'api-key-calls.csv',
      'webhooks.json',
      'feeds.json',
      'bounce-mailboxes.json',
      'mailboxes.json',
      'activity.csv',
      'billing.json',
      'credits.csv',
      'support.json',
      'outcomes.csv',
      'suppressions.csv',
      'questions.json',
      'single-verifications.csv',
      `lists/Spring ${list.id.slice(-12)}.csv`,
      'guesses.csv',
      `guess-lists/people ${people.id.slice(-12)}.csv`,
    ]);
    const part = (start: string) => [...parts].find(([name]) => name.startsWith(start))?.[1];
    expect(JSON.parse(part('profile') ?? '')).toMatchObject({ id: userId, retention_days: null });
    expect(JSON.parse(part('api-keys') ?? '')).toMatchObject([{ id: key.id }]);
    expect(JSON.parse(part('webhooks') ?? '')).toMatchObject([{ url: 'https://hooks.example/assay' }]);
    expect(JSON.parse(part('feeds') ?? '')).toMatchObject([{ id: feed.id, sender: 'postmark' }]);
    expect(JSON.parse(part('mailboxes') ?? '')).toMatchObject([{ account_email: 'warm@exists.test' }]);
    expect(part('activity')).toContain('export.account');
    expect(part('suppressions')).toContain('no-more@exists.test,address,complaint,customer');
    expect(JSON.parse(part('billing') ?? '')).toMatchObject({
      alerts: [50],
      automatic_top_up: { is_on: false },
      invoices: [],
    });
    expect(JSON.parse(part('questions') ?? '')).toMatchObject([{ provider: 'Google', questions: 7 }]);
    expect(part('credits')).toContain('Welcome credits,,1000,1000,');
    expect(JSON.parse(part('support') ?? '')).toMatchObject([{ subject: 'Call Requested' }]);
    expect(part('outcomes')).toContain(
      'ada@exists.test,complaint,2026-11-10T10:00:00.000Z,complaint,suppress',
    );
    expect(part('single-verifications')).toContain('max@exists.test,VALID,mailbox_accepted');
    expect(part('lists/')).toContain("'=1+1@exists.test");
    expect(part('guesses')).toContain('Ada,Lovelace,dotted.test');
    expect(part('guess-lists/')).toContain('Grace Hopper');
    const everything = [...parts.values()].join();
    for (const secret of [key.api_token, hook.secret, 'sealed-tokens'])
      expect(everything).not.toContain(secret);
  });

  it('holds no database connection while the client does not read', async () => {
    const token = await api.tokenFor();
    const list = await api.call('POST', '/validations/lists', { token, body: { emails: ['a@exists.test'] } });
    // More than all buffers between the server and a client that does not read, although it is packed.
    await api.database.pool.query(
      `insert into list_rows (owner_id, list_id, row_number, cells)
       select owner_id, id, number, (select string_agg(md5(number::text || part), '') from generate_series(1, 250) as part)
       from lists, generate_series(2, 2000) as number where id = $1`,
      [list.json().id],
    );
    const url = await linkFor(token);
    const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const leaving = new AbortController();
    const answer = await fetch(address + new URL(url).pathname + new URL(url).search, {
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    await reader?.read();

    const { pool } = api.database;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    const second = await api.app.inject({ url });
    expect([second.statusCode, second.json().errors[0].message]).toEqual([
      429,
      'Your data is being downloaded already. Wait until that download is finished, then try again.',
    ]);
    leaving.abort();
  });

  it('403 sign_in_again eleven minutes after the sign-in, and nothing is recorded', async () => {
    const token = await api.tokenFor({ auth_time: Math.floor(Date.now() / 1_000) - 660 });

    const refused = await askFor(token);

    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'sign_in_again']);
    expect((await api.call('GET', '/users/me/activity?area=export', { token })).json().total).toBe(0);
  });

  it('429 for more than ten archives in an hour, 401 when signed out, 404 after the account is deleted', async () => {
    const token = await api.tokenFor();
    const link = await linkFor(token);
    const statuses = [];
    for (let index = 0; index < 10; index += 1) statuses.push((await askFor(token)).statusCode);

    expect(statuses).toEqual([...Array(9).fill(200), 429]);
    expect((await api.call('POST', '/users/me/data')).statusCode).toBe(401);
    expect((await api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);
    expect((await api.app.inject({ url: link })).statusCode).toBe(404);
  });
});
