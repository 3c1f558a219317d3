import type { EmailSummary, ListEmail, ValidationList } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { productOfFile } from '../../../testing/product.ts';

const { api } = await productOfFile();

interface EmailsAnswer {
  readonly results: ListEmail[];
  readonly total: number;
  readonly total_is_exact: boolean;
}

async function verified(emails: readonly string[]) {
  const token = await api.tokenFor();
  const made = await api.call('POST', '/validations/lists', { token, body: { emails } });
  const { id } = made.json<ValidationList>();
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await api.call('GET', `/validations/lists/${id}${path}`, { token })).json();
  await expect.poll(async () => (await get<ValidationList>('')).status).toBe('COMPLETE');
  const rows = async (query: string) => {
    const { results, ...count } = await get<EmailsAnswer>(`/emails?${query}`);
    return { emails: results.map(({ email_address }) => email_address), ...count };
  };
  return { id, token, get, rows, emails: async (query: string) => (await rows(query)).emails };
}

describe('GET /validations/lists/:list_id/emails', () => {
  it('filters by result, reason, flag, provider and a part of the address, and counts what matches', async () => {
    const list = await verified([
      'jane@exists.test',
      'info@exists.test',
      'nobody@exists.test',
      'any+tag@catch-all.test',
      'who@no-such-domain.test',
    ]);

    expect(await list.rows('')).toEqual({
      emails: [
        'jane@exists.test',
        'info@exists.test',
        'nobody@exists.test',
        'any+tag@catch-all.test',
        'who@no-such-domain.test',
      ],
      total: 5,
      total_is_exact: true,
    });
    expect(await list.rows('status=INVALID')).toMatchObject({
      emails: ['nobody@exists.test', 'who@no-such-domain.test'],
      total: 2,
    });
    expect(await list.emails('reason=no_such_mailbox&reason=catch_all')).toEqual([
      'nobody@exists.test',
      'any+tag@catch-all.test',
    ]);
    expect(await list.emails('flag=role')).toEqual(['info@exists.test']);
    expect(await list.emails('flag=role&flag=plus_tag')).toEqual([
      'info@exists.test',
      'any+tag@catch-all.test',
    ]);
    const { results } = await list.get<EmailsAnswer>('/emails');
    const provider = results[0]?.mx_provider ?? '';
    expect(provider).not.toBe('');
    expect(await list.emails(`mx_provider=${provider}&status=INVALID`)).toEqual(['nobody@exists.test']);
    expect(await list.rows('search=N%C3%B6')).toMatchObject({ emails: [], total: 0, total_is_exact: true });
    expect(await list.rows('search=NO&status=INVALID&reason=no_such_mailbox')).toMatchObject({
      emails: ['nobody@exists.test'],
      total: 1,
    });
    // Signs of patterns stand for themselves.
    expect(await list.emails('search=%25')).toEqual([]);
    expect(await list.emails('search=_')).toEqual([]);
    expect(results[3]).toMatchObject({
      flags: { disposable: false, role: false, free_provider: false, plus_tag: true },
      suggestion: null,
    });
    expect(results[4]).toMatchObject({ mx_provider: null });
  });

  it('sorts by address, by result and backwards, page by page', async () => {
    const list = await verified(['c@exists.test', 'B@catch-all.test', 'a@exists.test', 'nobody@exists.test']);

    expect(await list.emails('sort=email&page_size=3')).toEqual([
      'a@exists.test',
      'B@catch-all.test',
      'c@exists.test',
    ]);
    expect(await list.emails('sort=email&page_size=3&page_number=2')).toEqual(['nobody@exists.test']);
    expect((await list.emails('sort=-email'))[0]).toBe('nobody@exists.test');
    expect(await list.emails('sort=-row&page_size=2')).toEqual(['nobody@exists.test', 'a@exists.test']);
    expect(await list.emails('sort=status')).toEqual([
      'c@exists.test',
      'a@exists.test',
      'nobody@exists.test',
      'B@catch-all.test',
    ]);
    expect((await list.emails('sort=-status'))[0]).toBe('B@catch-all.test');
  });

  it('lists the newest results first, without addresses that have none yet', async () => {
    const addresses = ['jane@exists.test', 'info@exists.test', 'nobody@exists.test', 'jane+d@exists.test'];
    const list = await verified(addresses);
    const { pool } = api.database;
    const { rows } = await pool.query(
      'select row_number from list_rows where list_id = $1 order by row_number',
      [list.id],
    );
    const [first, second, , fourth] = rows.map(({ row_number }) => row_number);
    // The second was checked last, the first before it; the fourth has no result yet.
    await pool.query(
      `update list_results set checked_at = checked_at
         + interval '1 hour' * case row_number when $2 then 2 when $3 then 1 else 0 end where list_id = $1`,
      [list.id, second, first],
    );
    await pool.query('delete from list_results_shared where list_id = $1 and row_number = $2', [
      list.id,
      fourth,
    ]);
    await pool.query('update lists set valid_emails = valid_emails - 1 where id = $1', [list.id]);

    expect(await list.rows('sort=newest')).toEqual({
      emails: ['info@exists.test', 'jane@exists.test', 'nobody@exists.test'],
      total: 3,
      total_is_exact: true,
    });
    expect(await list.rows('sort=newest&page_size=1&page_number=4')).toMatchObject({ emails: [], total: 3 });
    expect(await list.emails('sort=newest&status=INVALID')).toEqual(['nobody@exists.test']);
    expect(await list.rows('sort=newest&reason=mailbox_accepted')).toEqual({
      emails: ['info@exists.test', 'jane@exists.test'],
      total: 2,
      total_is_exact: true,
    });
    expect(await list.emails('sort=newest&search=exists')).toEqual([
      'info@exists.test',
      'jane@exists.test',
      'nobody@exists.test',
    ]);
  });

  it('counts matches up to 10,000, and 400 for sorting more', async () => {
    const list = await verified(['jane@exists.test']);
    const { pool } = api.database;
    await pool.query(
      `insert into list_rows (owner_id, list_id, row_number, cells, email_address)
       select owner_id, list_id, n, 'x', 'n' || n || '@many.test' from list_rows, generate_series(2, 10002) n
       where list_id = $1`,
      [list.id],
    );

    expect(await list.rows('search=many.test&page_size=1')).toEqual({
      emails: ['n2@many.test'],
      total: 10_000,
      total_is_exact: false,
    });
    expect(await list.rows('search=n1000&page_size=1')).toMatchObject({ total: 4, total_is_exact: true });
    const answer = await api.call('GET', `/validations/lists/${list.id}/emails?search=many&sort=email`, {
      token: list.token,
    });
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'too_many_to_sort']);
  });
});

describe('GET /validations/lists/:list_id/emails/summary', () => {
  it('counts reasons, flags and providers', async () => {
    const list = await verified(['jane@exists.test', 'info@exists.test', 'nobody@exists.test']);
    const { results } = await list.get<EmailsAnswer>('/emails');

    const { reasons, flags, mx_providers } = await list.get<EmailSummary>('/emails/summary');

    expect(reasons).toEqual([
      { reason: { code: 'mailbox_accepted', text: expect.any(String) }, status: 'VALID', emails: 2 },
      { reason: { code: 'no_such_mailbox', text: expect.any(String) }, status: 'INVALID', emails: 1 },
    ]);
    expect(flags).toEqual([
      { flag: 'disposable', emails: 0 },
      { flag: 'role', emails: 1 },
      { flag: 'free_provider', emails: 0 },
      { flag: 'plus_tag', emails: 0 },
    ]);
    expect(mx_providers).toEqual([{ mx_provider: results[0]?.mx_provider, emails: 3 }]);
  });
});

describe('GET /validations/lists/:list_id', () => {
  it('tells the file, the times, the charge and how many addresses are safe to send to', async () => {
    const list = await verified([
      'jane@exists.test',
      'info@exists.test',
      'nobody@exists.test',
      'max@exists.test',
    ]);

    const answer = await list.get<ValidationList>('');

    expect(answer).toMatchObject({
      file_name: 'API list.csv',
      completion_date: expect.stringMatching(/^\d{4}-/),
      charged_credits: 3,
      safe_emails: 1,
    });
  });
});
