import { randomUUID } from 'node:crypto';
import type { ListPreview, RealtimeEvent, ValidationList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishEvent } from '../../../platform/events/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { greetRealtime } from '../../../testing/realtime-client.ts';
import { startTestWorker, type TestWorker } from '../../../testing/worker.ts';
import { auditLedger } from '../../billing/index.ts';
import { sweepValidations } from '../sweep.ts';

let api: TestApi;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi({ env: { UPLOAD_ROWS_MAX: '5000', UPLOAD_BYTES_MAX: '200000' } });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const lastEvent: RealtimeEvent = { event_type: 'refresh_user', event_metadata: {} };

const csv = (...lines: string[]): string => `${lines.join('\n')}\n`;
const people = csv(
  'name;email;city',
  '"Doe, Jane";jane@exists.test;Bern',
  'Nobody;nobody@exists.test;Basel',
  'Jane again; JANE@exists.test ;Bern',
  'Any;anyone@catch-all.test;"a ""big"" city"',
  'Max;max@exists.test;Chur',
  'Broken;not an address;Genf',
);

function send(
  token: string,
  path: string,
  fields: Record<string, string | Blob>,
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'people.csv');
  }
  return api.call('POST', path, { token, headers, body: form });
}
const preview = (token: string, contents: string | Buffer) =>
  send(token, '/validations/lists_bulk/validation', { list_raw: new Blob([contents]) });
const create = (token: string, fields: Record<string, string | Blob>, headers = {}) =>
  send(token, '/validations/lists_bulk', fields, headers);
const get = async <Answer>(token: string, path: string): Promise<Answer> =>
  (await api.call('GET', path, { token })).json();
const balanceOf = async (token: string) => (await get<{ balance: number }>(token, '/billing/me')).balance;

async function untilComplete(token: string, id: string): Promise<ValidationList> {
  await expect
    .poll(async () => (await get<ValidationList>(token, `/validations/lists/${id}`)).status)
    .toBe('COMPLETE');
  return get(token, `/validations/lists/${id}`);
}
async function verifyPeople(token: string): Promise<ValidationList> {
  const made = (await create(token, { list_raw: new Blob([people]) })).json<ValidationList>();
  return untilComplete(token, made.id);
}
async function download(token: string, listId: string, query: string): Promise<string[]> {
  const { download_link } = (
    await api.call('POST', `/validations/lists/${listId}/export?${query}`, { token })
  ).json();
  const { pathname, search } = new URL(download_link);
  const answer = await api.app.inject({ url: pathname + search });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  return answer.body.replace('\ufeff', '').trimEnd().split('\n');
}

describe('POST /validations/lists_bulk/validation', () => {
  it('200 with the price of the file and the detected format', async () => {
    const answer = await preview(await api.tokenFor(), people);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      total_credits: 4,
      metrics: { billable: 4, non_billable: 1, duplicated: 1, no_email: 0, suppressed: 0 },
      metrics_with_headers: { billable: 4, non_billable: 1, duplicated: 1, no_email: 0, suppressed: 0 },
      metrics_without_headers: { billable: 4, non_billable: 2, duplicated: 1, no_email: 0, suppressed: 0 },
      upload_id: expect.any(String),
      detected: {
        format: 'csv',
        encoding: 'utf-8',
        delimiter: ';',
        email_column: 'email',
        email_column_number: 2,
        email_columns: ['email'],
        has_header_row: true,
        skipped_rows: 0,
        rows: 7,
        broken_quotes: { rows: 0, first: [] },
      },
      name: 'people',
      first_rows: [
        ['name', 'email', 'city'],
        ['Doe, Jane', 'jane@exists.test', 'Bern'],
        ['Nobody', 'nobody@exists.test', 'Basel'],
        ['Jane again', ' JANE@exists.test ', 'Bern'],
        ['Any', 'anyone@catch-all.test', 'a "big" city'],
        ['Max', 'max@exists.test', 'Chur'],
      ],
      excluded: [
        { row: 1, email: 'email', reason: 'malformed' },
        { row: 4, email: 'JANE@exists.test', reason: 'duplicated' },
        { row: 7, email: 'not an address', reason: 'malformed' },
      ],
    });
  });

  it('200 for Windows-1252 and UTF-16, with all letters intact', async () => {
    const token = await api.tokenFor();
    const text = csv('email,name', 'jane@exists.test,Zoë');
    const windows = (await preview(token, Buffer.from(text, 'latin1'))).json<ListPreview>();
    const utf16 = (await preview(token, Buffer.from(`\ufeff${text}`, 'utf16le'))).json<ListPreview>();

    expect([windows.detected.encoding, utf16.detected.encoding]).toEqual(['windows-1252', 'utf-16le']);
    expect([windows.total_credits, utf16.total_credits]).toEqual([1, 1]);
  });

  it.each([
    ['an empty file', '', 400, 'file_empty', /empty/],
    ['blank lines', '\n \n', 400, 'file_empty', /empty/],
    ['no column of addresses', 'name,city\nJane,Bern\n', 400, 'file_no_email_column', /No column/],
    [
      'a damaged workbook',
      'PK\u0003\u0004 and so on',
      400,
      'file_workbook_broken',
      /damaged\. Save it again, or as CSV/,
    ],
    ['too many rows', 'a@b.test\n'.repeat(5_001), 413, 'file_too_many_rows', /5,000 rows/],
    ['too many bytes', `email\n${'x'.repeat(200_001)}`, 413, 'file_too_large', /195 kB/],
  ])('refuses %s and says what to change', async (_name, contents, status, code, message) => {
    const answer = await preview(await api.tokenFor(), contents);

    expect(answer.statusCode).toBe(status);
    expect(answer.json().errors[0]).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('400 without a file, 415 for JSON, 401 when signed out', async () => {
    const token = await api.tokenFor();
    const path = '/validations/lists_bulk/validation';

    expect((await send(token, path, { note: 'no file' })).statusCode).toBe(400);
    expect((await api.call('POST', path, { token, body: { file: 'x' } })).statusCode).toBe(415);
    expect((await send('nonsense', path, { list_raw: new Blob([people]) })).statusCode).toBe(401);
  });
});

describe('POST /validations/lists_bulk', () => {
  it('201 makes a list with the name of the file, holds its full cost and settles what is due', async () => {
    const token = await api.tokenFor();

    const answer = await create(token, { list_raw: new Blob([people]) });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ name: 'people', total_emails: 4 });

    const list = await untilComplete(token, answer.json().id);
    expect(list).toMatchObject({
      progress: 100,
      email_metrics: { valid_emails: 1, invalid_emails: 1, catch_all_emails: 1, unknown_emails: 1 },
      validation_email_metrics: { completed: 4 },
    });
    // Four were held; the unknown one came back.
    expect(await balanceOf(token)).toBe(997);
  });

  it('201 from a previewed upload, with the same list for repeated and parallel calls', async () => {
    const token = await api.tokenFor();
    const { upload_id } = (await preview(token, people)).json<ListPreview>();

    const twins = await Promise.all([1, 2, 3].map(() => create(token, { upload_id })));
    const again = await create(token, { upload_id });

    expect(new Set([...twins, again].map((answer) => answer.json().id)).size).toBe(1);
    expect((await get<{ total: number }>(token, '/validations/lists')).total).toBe(1);
  });

  it('verifies the first row too without headers', async () => {
    const token = await api.tokenFor();
    const file = new Blob([csv('jane@exists.test,Jane', 'nobody@exists.test,N')]);

    const bare = (await create(token, { with_headers: 'false', list_raw: file })).json<ValidationList>();
    const headed = (await create(token, { list_raw: file, with_headers: 'true' })).json<ValidationList>();

    expect([bare.total_emails, headed.total_emails]).toEqual([2, 1]);
  });

  it('402 with the missing credits when the balance does not cover the list', async () => {
    const token = await api.tokenFor();
    const rows = Array.from({ length: 1_003 }, (_, row) => `user${row}@exists.test`);

    const answer = await create(token, { list_raw: new Blob([csv('email', ...rows)]) });

    expect(answer.statusCode).toBe(402);
    expect(answer.json().errors[0]).toMatchObject({ code: 'insufficient_credits', meta: { short_by: 3 } });
    expect(await balanceOf(token)).toBe(1_000);
    expect((await get<{ total: number }>(token, '/validations/lists')).total).toBe(0);
  });

  it('400 for a file whose only address is taken for its header', async () => {
    const answer = await create(await api.tokenFor(), { list_raw: new Blob(['jane@exists.test\n']) });

    expect(answer.json().errors[0]).toMatchObject({ code: 'file_no_addresses', http_status: 400 });
  });

  it('404 for another customer’s upload', async () => {
    const { upload_id } = (await preview(await api.tokenFor(), people)).json<ListPreview>();

    expect((await create(await api.tokenFor(), { upload_id })).statusCode).toBe(404);
  });

  it('201 with the same list for a repeated Idempotency-Key', async () => {
    const token = await api.tokenFor();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await create(token, { list_raw: new Blob([people]) }, headers);
    const second = await create(token, { list_raw: new Blob([people]) }, headers);

    expect(second.json().id).toBe(first.json().id);
    expect((await get<{ total: number }>(token, '/validations/lists')).total).toBe(1);
  });

  it('409 for an Idempotency-Key with another file of the same name, size and count, sent or previewed', async () => {
    const token = await api.tokenFor();
    const headers = { 'idempotency-key': randomUUID() };
    const [file, other] = ['email\njane@exists.test\n', 'email\njohn@exists.test\n'];
    const first = await create(token, { list_raw: new Blob([file]) }, headers);
    const [ofFile, ofOther] = [(await preview(token, file)).json(), (await preview(token, other)).json()];

    const answers = [
      await create(token, { list_raw: new Blob([other]) }, headers),
      await create(token, { upload_id: ofOther.upload_id }, headers),
      await create(token, { upload_id: ofFile.upload_id }, headers),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 201]);
    expect(answers[0]?.json().errors[0].code).toBe('idempotency_key_reused');
    expect(answers[2]?.json().id).toBe(first.json().id);
  });
});

describe('a verified list', () => {
  it('exports one row per address of the chosen verdicts with the customer’s columns', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);

    expect(await download(token, id, 'status=VALID&status=CATCH_ALL')).toEqual([
      'name;email;city;result;reason;flags;mx_provider;suggestion',
      '"Doe, Jane";jane@exists.test;Bern;VALID;mailbox_accepted;;exists.test;'.replaceAll('"', ''),
      'Any;anyone@catch-all.test;"a ""big"" city";CATCH_ALL;catch_all;;catch-all.test;',
    ]);
  });

  it('exports every row of the file: duplicates with the result of the first, malformed rows INVALID', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);

    const lines = await download(
      token,
      id,
      'status=VALID&status=INVALID&status=CATCH_ALL&status=UNKNOWN&rows=all',
    );

    expect(lines).toHaveLength(7);
    expect(lines[3]).toBe('Jane again;" JANE@exists.test ";Bern;VALID;mailbox_accepted;;exists.test;');
    expect(lines[6]).toBe('Broken;not an address;Genf;INVALID;syntax;;;');
  });

  it('404 for an export link that was changed', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);
    const { download_link } = (
      await api.call('POST', `/validations/lists/${id}/export?status=VALID`, { token })
    ).json();
    const { pathname, search } = new URL(download_link);

    expect((await api.app.inject({ url: `${pathname}${search}x` })).statusCode).toBe(404);
    expect((await api.app.inject({ url: `${pathname}?order=e30.x` })).statusCode).toBe(404);
  });

  it('shows its addresses with reasons, searched and filtered, and the evidence of each', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);
    const emails = `/validations/lists/${id}/emails`;

    const all = await get<{ total: number; results: { id: string }[] }>(token, emails);
    const found = await get<typeof all>(token, `${emails}?search=exists&status=INVALID&status=UNKNOWN`);
    const one = await get<object>(token, `${emails}/${all.results[0]?.id}`);

    expect(all.total).toBe(4);
    expect(found).toMatchObject({
      total: 2,
      results: [{ email_address: 'nobody@exists.test' }, { email_address: 'max@exists.test' }],
    });
    expect(one).toMatchObject({ email_address: 'jane@exists.test', evidence: expect.any(Array) });
    expect((await get<typeof all>(token, `${emails}?search=%25`)).total).toBe(0);
  });

  it('§5 List name: is renamed within the rules, and refused outside of them', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);
    const rename = (name: string) =>
      api.call('PUT', `/validations/lists/${id}`, { token, body: { id, name } });

    expect((await rename('Spring')).json()).toMatchObject({ name: 'Spring' });
    expect((await rename('x')).json().errors[0]).toMatchObject({
      http_status: 400,
      message: 'Name requires at least 2 characters',
    });
  });

  it('§7 is renamed by the id in the path; 400 when the body has the id of another list', async () => {
    const token = await api.tokenFor();
    const { id, name } = await verifyPeople(token);
    const other = await verifyPeople(token);
    const rename = (body: object) => api.call('PUT', `/validations/lists/${id}`, { token, body });

    const refused = await rename({ id: other.id, name: 'Spring' });

    expect(refused.json().errors[0]).toMatchObject({
      http_status: 400,
      code: 'invalid_request',
      message: 'id is not that of the list in the address. Send the same id in both, or leave id out.',
      meta: { field: 'id' },
    });
    const lists = await get<{ results: ValidationList[] }>(token, '/validations/lists');
    expect(lists.results.map((list) => list.name)).toEqual([name, other.name]);
    expect((await rename({ id: id.toUpperCase(), name: 'Spring' })).json()).toMatchObject({ name: 'Spring' });
    expect((await rename({ name: 'Summer' })).json()).toMatchObject({ name: 'Summer' });
  });

  it('informs the open tabs of its customer only when it is renamed or deleted', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);
    const stranger = await api.tokenFor();
    await get(stranger, '/users/me');
    const tab = await greetRealtime(api, token);
    const strangersTab = await greetRealtime(api, stranger);

    await api.call('PUT', `/validations/lists/${id}`, { token: stranger, body: { name: 'Mine' } });
    await api.call('DELETE', `/validations/lists/${id}`, { token: stranger });
    await api.call('PUT', `/validations/lists/${id}`, { token, body: { name: 'Spring' } });
    await api.call('DELETE', `/validations/lists/${id}`, { token });
    await publishEvent(api.database.db, (await get<{ id: string }>(stranger, '/users/me')).id, lastEvent);

    expect(await tab.next()).toEqual({ event_type: 'list_changed', event_metadata: { list_id: id } });
    expect(await tab.next()).toEqual({ event_type: 'list_deleted', event_metadata: { list_id: id } });
    expect(await strangersTab.next()).toEqual(lastEvent);
    tab.socket.terminate();
    strangersTab.socket.terminate();
  });

  it('404 in every call for another customer', async () => {
    const { id } = await verifyPeople(await api.tokenFor());
    const stranger = await api.tokenFor();
    const calls = [
      ['GET', `/validations/lists/${id}`],
      ['GET', `/validations/lists/${id}/emails`],
      ['GET', `/validations/lists/${id}/emails/1`],
      ['PUT', `/validations/lists/${id}`],
      ['DELETE', `/validations/lists/${id}`],
      ['POST', `/validations/lists/${id}/export?status=VALID`],
    ] as const;

    for (const [method, path] of calls) {
      const body = method === 'PUT' ? { name: 'Mine' } : undefined;
      expect([method, (await api.call(method, path, { token: stranger, body })).statusCode]).toEqual([
        method,
        404,
      ]);
    }
  });
});

describe('DELETE /validations/lists/{list_id}', () => {
  it('204 hides the list at once; the next sweep removes its rows', async () => {
    const token = await api.tokenFor();
    const { id } = await verifyPeople(token);

    expect((await api.call('DELETE', `/validations/lists/${id}`, { token })).statusCode).toBe(204);
    expect((await api.call('GET', `/validations/lists/${id}`, { token })).statusCode).toBe(404);
    expect(await balanceOf(token)).toBe(997);

    const { db } = api.database;
    const files = {
      write: async () => ({ byteCount: 0 }),
      read: () => process.stdin,
      remove: async () => undefined,
      removeAll: async () => undefined,
      list: async function* () {},
    };
    await sweepValidations({ db, clock: { now: () => new Date() }, files }, new AbortController().signal);
    expect(await db.selectFrom('list_rows').select('row_number').where('list_id', '=', id).execute()).toEqual(
      [],
    );
    expect(
      await db.selectFrom('list_results').select('row_number').where('list_id', '=', id).execute(),
    ).toEqual([]);
  });

  it('204 stops a running list: takes credits for results, gives the rest back', async () => {
    const token = await api.tokenFor();
    const stuck = Array.from({ length: 20 }, (_, row) => `user${row}@silent.test`);
    const made = (
      await create(token, { list_raw: new Blob([csv('email', 'jane@exists.test', ...stuck)]) })
    ).json();
    await expect
      .poll(
        async () =>
          (await get<ValidationList>(token, `/validations/lists/${made.id}`)).validation_email_metrics,
      )
      .toEqual({ completed: 1 });
    expect(await balanceOf(token)).toBe(979);

    expect((await api.call('DELETE', `/validations/lists/${made.id}`, { token })).statusCode).toBe(204);

    expect(await balanceOf(token)).toBe(999);
  });
});

describe('GET /validations/lists/metrics', () => {
  it('200 counts singles and lists together, by day in the time zone of the dates', async () => {
    const token = await api.tokenFor();
    await verifyPeople(token);
    const day = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
    const range = `from_date=${day}T00:00:00%2B09:00&to_date=${day}T23:59:59%2B09:00`;

    const { results } = await get<{ results: unknown[] }>(
      token,
      `/validations/lists/metrics?${range}&group_by=DAY`,
    );

    expect(results).toEqual([
      {
        date: `${day}T00:00:00+09:00`,
        validation_list_email_metrics: {
          pending_emails: 0,
          valid_emails: 1,
          invalid_emails: 1,
          catch_all_emails: 1,
          unknown_emails: 1,
        },
      },
    ]);
  });

  it('200 with a bucket for every month of a year, also for empty ones', async () => {
    const query = 'from_date=2025-11-20T00:00:00Z&to_date=2026-11-15T00:00:00Z&group_by=MONTH';

    const { results } = await get<{ results: { date: string }[] }>(
      await api.tokenFor(),
      `/validations/lists/metrics?${query}`,
    );

    expect(results).toHaveLength(13);
    expect([results[0]?.date, results[12]?.date]).toEqual([
      '2025-11-01T00:00:00+00:00',
      '2026-11-01T00:00:00+00:00',
    ]);
  });

  it('400 for a range that ends before it begins', async () => {
    const query = 'from_date=2026-11-15T00:00:00Z&to_date=2026-11-14T00:00:00Z&group_by=DAY';

    expect(
      (await api.call('GET', `/validations/lists/metrics?${query}`, { token: await api.tokenFor() }))
        .statusCode,
    ).toBe(400);
  });
});

it('leaves a ledger that agrees', async () => {
  expect(await Array.fromAsync(auditLedger(api.database.db))).toEqual([]);
});
