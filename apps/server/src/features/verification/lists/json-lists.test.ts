import { randomUUID } from 'node:crypto';
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
      excluded_emails: { non_billable: 1, duplicated: 0, no_email: 1 },
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
