import { createHash, randomUUID } from 'node:crypto';
import { JSON_LIST, type ValidationList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../../testing/worker.ts';
import { auditLedger } from '../../billing/index.ts';

const path = '/validations/lists';
const people = [
  'jane@exists.test',
  ' JANE@exists.test ',
  'nobody@exists.test',
  'anyone@catch-all.test',
  'max@exists.test',
  'not, "an" address\nat all',
  '',
];

const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);

describe('POST /validations/lists', () => {
  let api: TestApi;
  let worker: TestWorker;
  beforeAll(async () => {
    api = await startTestApi({ env: { UPLOAD_ROWS_MAX: '2000' } });
    worker = await startTestWorker(api);
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  const create = (token: string, body: unknown, headers: Record<string, string> = {}) =>
    api.call('POST', path, { token, body, headers });
  const send = (token: string, payload: string, query = '') =>
    api.app.inject({
      method: 'POST',
      url: `/api${path}${query}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload,
    });
  const balanceOf = async (token: string): Promise<number> =>
    (await api.call('GET', '/billing/me', { token })).json().balance;
  const totalOf = async (token: string): Promise<number> =>
    (await api.call('GET', path, { token })).json().total;
  const untilComplete = async (token: string, id: string): Promise<ValidationList> => {
    const find = async () => (await api.call('GET', `${path}/${id}`, { token })).json<ValidationList>();
    await expect.poll(async () => (await find()).status).toBe('COMPLETE');
    return find();
  };
  const download = async (token: string, id: string, query: string): Promise<string> => {
    const { download_link } = (await api.call('POST', `${path}/${id}/export?${query}`, { token })).json();
    const { pathname, search } = new URL(download_link);
    return (await api.app.inject({ url: pathname + search })).body.replace('\ufeff', '');
  };

  it('201 verifies the distinct, well-formed addresses and charges all but UNKNOWN', async () => {
    const token = await api.tokenFor();

    const answer = await create(token, { name: 'From the shop', emails: people });

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ name: 'From the shop', status: 'PENDING', total_emails: 4 });
    expect(await untilComplete(token, answer.json().id)).toMatchObject({
      email_metrics: { valid_emails: 1, invalid_emails: 1, catch_all_emails: 1, unknown_emails: 1 },
    });
    expect(await balanceOf(token)).toBe(997);
  });

  it.each([
    ['in the middle', ['jane@exists.test', '', 'max@exists.test']],
    ['at the end', ['jane@exists.test', 'max@exists.test', '']],
    ['at the start', ['', 'jane@exists.test', 'max@exists.test']],
    ['of spaces', ['jane@exists.test', ' \t\n ', 'max@exists.test']],
  ])('counts a blank entry %s as one without an email', async (_where, emails) => {
    const { total_emails, excluded_emails } = (await create(await api.tokenFor(), { emails })).json();

    expect({ total_emails, excluded_emails }).toEqual({
      total_emails: 2,
      excluded_emails: { non_billable: 1, duplicated: 0, no_email: 1, suppressed: 0 },
    });
  });

  it('201 with a default name', async () => {
    const answer = await create(await api.tokenFor(), { emails: ['jane@exists.test'] });

    expect(answer.json().name).toBe('API list');
  });

  it('is exported like a file: rows of the chosen verdicts, or all rows', async () => {
    const token = await api.tokenFor();
    const { id } = (await create(token, { emails: people })).json();
    await untilComplete(token, id);

    expect(await download(token, id, 'status=VALID&status=INVALID')).toBe(
      'email,result,reason,flags,mx_provider,suggestion\njane@exists.test,VALID,mailbox_accepted,,exists.test,\nnobody@exists.test,INVALID,no_such_mailbox,,exists.test,\n',
    );
    const all = await download(token, id, 'status=VALID&rows=all');
    expect(all).toContain('" JANE@exists.test ",VALID,mailbox_accepted,,exists.test,\n');
    expect(all).toContain('"not, ""an"" address\nat all",INVALID,syntax,,,\n');
  });

  it('201 with the same list for a repeated Idempotency-Key, also in parallel; 409 with other emails', async () => {
    const token = await api.tokenFor();
    const headers = { 'idempotency-key': randomUUID() };

    const twins = await Promise.all([1, 2, 3].map(() => create(token, { emails: people }, headers)));
    const again = await create(token, { emails: people }, headers);

    expect(new Set([...twins, again].map((answer) => answer.json().id)).size).toBe(1);
    expect(await totalOf(token)).toBe(1);
    expect((await create(token, { emails: ['joe@exists.test'] }, headers)).statusCode).toBe(409);
  });

  it('402 with the missing credits when the balance does not cover the list', async () => {
    const token = await api.tokenFor();
    const emails = Array.from({ length: 1_003 }, (_, row) => `user${row}@exists.test`);

    const answer = await create(token, { emails });

    expect(answer.json().errors[0]).toMatchObject({
      code: 'insufficient_credits',
      http_status: 402,
      meta: { short_by: expect.any(Number) },
    });
    expect([await balanceOf(token), await totalOf(token)]).toEqual([1_000, 0]);
  });

  it.each([
    ['no emails', {}, /emails is required/],
    ['none among them', { emails: [] }, /at least one address/],
    ['only what is no address', { emails: ['nobody', '', 'a@b@c'] }, /None of the emails is an address/],
    ['what is no text', { emails: ['jane@exists.test', 7] }, /emails\.1/],
    ['a name that breaks the rules', { name: 'x', emails: ['jane@exists.test'] }, /at least 2 characters/],
    ['a field that does not exist', { emails: ['jane@exists.test'], urgent: true }, /urgent is not a field/],
  ])('400 with %s', async (_what, body, message) => {
    const token = await api.tokenFor();

    const answer = await create(token, body);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].message).toMatch(message);
    expect(await totalOf(token)).toBe(0);
  });

  it.each([
    ['a field that does not exist', { urgent: true }, 'invalid_request', 'urgent'],
    ['what is no text', { emails: ['jane@exists.test', 7] }, 'invalid_request', 'emails.1'],
    ['a name that breaks the rules', { name: 'x' }, 'invalid_request', 'name'],
    [
      'a character that cannot be stored',
      { emails: ['jane@exists.test', 'a\0'] },
      'invalid_request',
      'emails.1',
    ],
    ['too many brackets', { emails: [nested(30)] }, 'invalid_request', undefined],
    ['a key that changes objects', { ['__proto__']: 1 }, 'malformed_json', undefined],
  ])('gives a long body the same refusal as a short one: %s', async (_what, wrong, code, field) => {
    const token = await api.tokenFor();
    // Spaces make it long, and mean nothing.
    const bodies = ['', ' '.repeat(20_000)].map(
      (spaces) => `${spaces}${JSON.stringify({ emails: ['jane@exists.test'], ...wrong })}`,
    );

    const answers = await Promise.all(bodies.map((body) => send(token, body)));

    const [short, long] = answers.map((answer) => ({ ...answer.json().errors[0], trace_id: null }));
    expect(short).toMatchObject({ http_status: 400, code, meta: field ? { field } : {} });
    expect(long).toEqual(short);
  });

  it('400 for a long body that is no JSON, or is in a query that is wrong too', async () => {
    const token = await api.tokenFor();
    const cut = JSON.stringify({ emails: Array.from({ length: 1_000 }, () => 'jane@exists.test') }).slice(
      0,
      -1,
    );

    expect((await send(token, cut)).json().errors[0]).toMatchObject({ code: 'malformed_json' });
    expect((await send(token, '')).json().errors[0]).toMatchObject({ code: 'malformed_json' });
    expect((await send(token, `${cut},"urgent":1}`, '?sandbox=maybe')).json().errors[0]).toMatchObject({
      meta: { field: 'urgent' },
    });
    expect((await send(token, `${cut}}`, '?sandbox=maybe')).json().errors[0]).toMatchObject({
      meta: { field: 'sandbox' },
    });
  });

  it('knows an Idempotency-Key of an earlier version, for short and long lists', async () => {
    const token = await api.tokenFor();
    for (const count of [1, 900]) {
      const emails = Array.from({ length: count }, (_, row) => `user${row}@exists.test`);
      const key = randomUUID();
      const { id } = (await create(token, { name: 'Hashed', emails }, { 'idempotency-key': key })).json();
      const { request_hash } = await api.database.db
        .selectFrom('idempotent_answers')
        .select('request_hash')
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      const contents = JSON.stringify(['list of emails', 'Hashed', emails]);
      expect(request_hash).toBe(createHash('sha256').update(contents).digest('hex'));
      await untilComplete(token, id);
    }
  });

  it('leaves the API free for others while a long body is read', async () => {
    const [token, neighbour] = [await api.tokenFor(), await api.tokenFor()];
    // Wrong at its end, so that nothing but reading happens.
    const body = JSON.stringify({
      emails: [...Array.from({ length: 90_000 }, (_, row) => `${row}${'x'.repeat(70)}@exists.test`), 7],
    });
    await send(token, `${' '.repeat(20_000)}7`);
    // The first call of a test has its statements checked, which takes longer than the body.
    await api.call('GET', '/users/me', { token: neighbour });
    let isRead = false;
    const reading = send(token, body).finally(() => {
      isRead = true;
    });
    let calls = 0;
    while (!isRead) {
      await api.call('GET', '/users/me', { token: neighbour });
      calls += 1;
    }

    expect((await reading).json().errors[0]).toMatchObject({ meta: { field: 'emails.90000' } });
    // On the event loop, the body left room for one call.
    expect(calls).toBeGreaterThan(4);
  });

  it('413 for too many rows or a body that is too long', async () => {
    const token = await api.tokenFor();
    const many = Array.from({ length: 2_001 }, (_, row) => `user${row}@exists.test`);

    const rows = await create(token, { emails: many });
    const bytes = await create(token, { emails: ['x'.repeat(JSON_LIST.bytesMax)] });

    expect(rows.json().errors[0]).toMatchObject({ http_status: 413, code: 'file_too_many_rows' });
    expect(bytes.json().errors[0]).toMatchObject({ http_status: 413, code: 'payload_too_large' });
    expect(await totalOf(token)).toBe(0);
  });

  it('413 when the customer has no room for files', async () => {
    const small = await startTestApi({ beside: api, env: { UPLOAD_STORE_BYTES: '1024' } });
    const token = await api.tokenFor();
    const emails = Array.from({ length: 50 }, (_, row) => `somebody${row}@exists.test`);

    const first = await small.call('POST', path, { token, body: { emails: emails.slice(0, 30) } });
    const second = await small.call('POST', path, { token, body: { emails } });

    expect([first.statusCode, second.statusCode]).toEqual([201, 413]);
    await small.close();
  });

  it('leaves a ledger that agrees', async () => {
    expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
  });
});
