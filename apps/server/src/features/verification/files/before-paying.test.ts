import { randomUUID } from 'node:crypto';
import type { ListEstimate, ListPreview } from '@assay/contract';
import { type MailWorld, startMailWorld } from '@assay/mail-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { buildWorkbook } from '../../../platform/workbooks/testing/build-workbook.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { claimPricedUpload } from '../../uploads/index.ts';
import { findEmailUpload, findUploadOf } from './email-uploads.ts';

let api: TestApi;
let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
  api = await startTestApi({
    env: { ASSAY_DNS: world.dns, ASSAY_ALLOW_RANGES: world.allowRanges.join(',') },
  });
});
afterAll(async () => {
  await api.close();
  await world.close();
});

type Fields = Readonly<Record<string, string>>;

const send = (token: string, path: string, fields: Fields, file?: string | Buffer) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== undefined)
    form.append('list_raw', new Blob([new Uint8Array(Buffer.from(file))]), 'people.csv');
  return api.call('POST', path, { token, body: form });
};
const previewPath = '/validations/lists_bulk/validation';
const preview = async (token: string, fields: Fields, file?: string | Buffer) =>
  (await send(token, previewPath, fields, file)).json<ListPreview>();
const create = (token: string, fields: Fields, file?: string | Buffer) =>
  send(token, '/validations/lists_bulk', fields, file);
const addressesOf = async (token: string, listId: string): Promise<string[]> =>
  (await api.call('GET', `/validations/lists/${listId}/emails?page_size=50`, { token }))
    .json<{ results: { email_address: string }[] }>()
    .results.map(({ email_address }) => email_address);

const twoColumns = 'Work,Private\njane@exists.test,j@catch-all.test\nmax@exists.test,\n,x@exists.test\n';

it('a plain list of addresses has no header: by default its first address is verified too, and never excluded', async () => {
  const token = await api.tokenFor();
  const { upload_id, total_credits } = await preview(
    token,
    {},
    'a@exists.test; b@exists.test\nb@exists.test c@exists.test\n',
  );
  const { id } = (await create(token, { upload_id })).json();

  expect(total_credits).toBe(3);
  expect(await addressesOf(token, id)).toEqual(['a@exists.test', 'b@exists.test', 'c@exists.test']);
});

it('the name of a file is cut to the length of a file name', async () => {
  const form = new FormData();
  form.append('list_raw', new Blob(['email\njane@exists.test\n']), `${'x'.repeat(5_000)}.csv`);
  const made = await api.call('POST', '/validations/lists_bulk', { token: await api.tokenFor(), body: form });

  expect(made.json().file_name).toBe('x'.repeat(255));
});

describe('a file in which no column of emails is found', () => {
  it('400 with its first rows, from which the customer chooses a column; none of them is in the log', async () => {
    const token = await api.tokenFor();
    const file = 'name;contact\nJane Secretname;see card\nMax;jane at exists\n';
    const refused = await send(token, previewPath, {}, file);

    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors[0]).toMatchObject({
      code: 'file_no_email_column',
      meta: {
        first_rows: [
          ['name', 'contact'],
          ['Jane Secretname', 'see card'],
          ['Max', 'jane at exists'],
        ],
      },
    });
    expect(JSON.stringify(api.logLines)).not.toContain('Secretname');
    const chosen = await preview(token, { email_column: '2' }, file);
    expect(chosen).toMatchObject({ total_credits: 0, detected: { email_column: 'contact' }, name: 'people' });
  });

  it('400 with the sheets of a workbook, when the chosen one has no emails', async () => {
    const token = await api.tokenFor();
    const workbook = buildWorkbook([
      { name: 'Leads', rows: [['email'], ['jane@exists.test']] },
      {
        name: 'Notes',
        rows: [
          ['topic', 'text'],
          ['x', 'y'],
        ],
      },
    ]);
    const refused = await send(token, previewPath, { sheet: 'Notes' }, workbook);

    expect(refused.json().errors[0]?.meta).toMatchObject({
      sheet: 'Notes',
      sheets: ['Leads', 'Notes'],
      first_rows: [
        ['topic', 'text'],
        ['x', 'y'],
      ],
    });
  });
});

it('a table of many columns shows all of them, with less of each cell', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `c${index + 1}`);
  const file = `${names.join()},email\n${names.map(() => 'x'.repeat(90)).join()},jane@exists.test\n`;
  const { first_rows, detected } = await preview(await api.tokenFor(), {}, file);

  expect(detected.email_column_number).toBe(61);
  expect(first_rows[0]?.[60]).toBe('email');
  expect(first_rows[1]?.[0]).toBe('x'.repeat(40));
});

describe('another email column', () => {
  it('is counted in a new preview of the same upload, and the list has its addresses', async () => {
    const token = await api.tokenFor();
    const first = await preview(token, {}, `${twoColumns}y@exists.test,y@exists.test\n`);

    const second = await preview(token, { upload_id: first.upload_id, email_column: '2' });

    expect([first.detected.email_column, first.total_credits]).toEqual(['Work', 3]);
    expect(second).toMatchObject({
      upload_id: first.upload_id,
      total_credits: 3,
      metrics: { no_email: 1 },
      detected: { email_column: 'Private', email_column_number: 2, email_columns: ['Work', 'Private'] },
    });
    const { id } = (await create(token, { upload_id: first.upload_id })).json();
    expect(await addressesOf(token, id)).toEqual(['j@catch-all.test', 'x@exists.test', 'y@exists.test']);
  });

  it('changes nothing of an upload that has a list, whose rows a job may yet copy', async () => {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    // Too long to be copied by the call; no worker runs here.
    const long = `${twoColumns}${`,${'x'.repeat(1_000)}\n`.repeat(600)}`;
    const { upload_id } = await preview(token, {}, long);
    const made = (await create(token, { upload_id })).json();
    expect(made).toMatchObject({ run_state: 'preparing', total_emails: 2 });
    const readingOf = () => findUploadOf(api.database.db, { ownerId, listId: made.id });
    const before = await readingOf();

    const other = await preview(token, { upload_id, email_column: '2' });

    expect(other.detected.email_column).toBe('Private');
    expect(before.reading.dialect.emailColumn).toBe(0);
    expect(await readingOf()).toEqual(before);
  });

  it('that is previewed while the list is being made does not replace the column that was priced', async () => {
    const token = await api.tokenFor();
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
    const { db } = api.database;
    const { upload_id } = await preview(token, {}, `${twoColumns}y@exists.test,\n`);
    const priced = await findEmailUpload({ db, clock: systemClock }, ownerId, upload_id);
    await preview(token, { upload_id, email_column: '2' });

    const place = { ownerId, listId: randomUUID() };
    const claim = (listId: string) =>
      db.transaction().execute((tx) => claimPricedUpload(tx, { ownerId, listId }, priced));
    expect(await claim(place.listId)).toBeNull();

    expect(await findUploadOf(db, place)).toEqual({ ...priced, listId: place.listId });
    expect(await claim(randomUUID()), 'of a second claim').toBe(place.listId);
  });

  it('may be one that an earlier export of ours added: then the list has its addresses', async () => {
    const token = await api.tokenFor();
    const exported =
      'email,result,reason,flags,mx_provider,suggestion,city\n' +
      'jane@exits.test,INVALID,no_such_domain,,,jane@exists.test,Bern\n' +
      'max@exits.test,INVALID,no_such_domain,,,max@exists.test,Chur\n';

    const { upload_id, total_credits } = await preview(token, { email_column: '6' }, exported);
    const { id } = (await create(token, { upload_id })).json();

    expect(total_credits).toBe(2);
    expect(await addressesOf(token, id)).toEqual(['jane@exists.test', 'max@exists.test']);
  });

  it('can be named by the creation alone, of a file or an upload', async () => {
    const token = await api.tokenFor();
    const { upload_id } = await preview(token, {}, twoColumns);

    const ofUpload = await create(token, { upload_id, email_column: '2' });
    const ofFile = await create(token, { email_column: '2' }, twoColumns);

    const expected = ['j@catch-all.test', 'x@exists.test'];
    expect(await addressesOf(token, ofUpload.json().id)).toEqual(expected);
    expect(await addressesOf(token, ofFile.json().id)).toEqual(expected);
  });

  it('may be one that holds no address, and then there is nothing to pay', async () => {
    const answer = await preview(
      await api.tokenFor(),
      { email_column: '1' },
      'Name,Mail\nJane,jane@exists.test\n',
    );

    expect(answer).toMatchObject({
      total_credits: 0,
      metrics: { non_billable: 1 },
      detected: { email_column: 'Name', has_header_row: true },
    });
  });

  it('400 for a column that the file does not have, with those that it has', async () => {
    const answer = await send(await api.tokenFor(), previewPath, { email_column: '3' }, twoColumns);

    expect(answer.json().errors[0]).toMatchObject({
      code: 'file_column_not_found',
      message: 'The file has no column with this number. Choose one from 1 to 2.',
    });
  });

  it('404 for another customer’s upload', async () => {
    const { upload_id } = await preview(await api.tokenFor(), {}, twoColumns);

    const answer = await send(await api.tokenFor(), previewPath, { upload_id, email_column: '2' });

    expect(answer.statusCode).toBe(404);
  });
});

describe('a workbook with several sheets', () => {
  const workbook = buildWorkbook([
    { name: 'Notes', rows: [['Made in 2026']] },
    {
      name: 'Clients',
      rows: [
        ['Name', 'Email'],
        ['Jane', 'jane@exists.test'],
      ],
    },
    { name: 'Leads', rows: [['Email'], ['max@exists.test'], ['x@exists.test']] },
  ]);

  it('is read from the first sheet with emails, names all sheets, and reads another on request', async () => {
    const token = await api.tokenFor();

    const first = await preview(token, {}, workbook);
    const leads = await preview(token, { sheet: 'Leads' }, workbook);

    expect(first).toMatchObject({
      total_credits: 1,
      detected: { format: 'xlsx', sheet: 'Clients', sheets: ['Notes', 'Clients', 'Leads'] },
      first_rows: [
        ['Name', 'Email'],
        ['Jane', 'jane@exists.test'],
      ],
    });
    expect(leads).toMatchObject({ total_credits: 2, detected: { sheet: 'Leads' } });
    const { id } = (await create(token, { upload_id: leads.upload_id })).json();
    expect(await addressesOf(token, id)).toEqual(['max@exists.test', 'x@exists.test']);
  });

  it('400 for a sheet that it does not have, with those that it has', async () => {
    const answer = await send(await api.tokenFor(), previewPath, { sheet: 'Old' }, workbook);

    expect(answer.json().errors[0]).toMatchObject({
      code: 'file_sheet_not_found',
      message: expect.stringContaining('Notes, Clients, Leads'),
    });
  });
});

describe('POST /validations/lists_bulk/{upload_id}/exclusions', () => {
  const file =
    'Mailing list\nemail,name\njane@exists.test,\nJANE@exists.test,\n=cmd@,\n,None\n"a@b.test; no @ way",\n';
  const download = async (token: string, uploadId: string, query = '') => {
    const order = await api.call('POST', `/validations/lists_bulk/${uploadId}/exclusions${query}`, { token });
    const { pathname, search } = new URL(order.json().download_link);
    return api.app.inject({ url: pathname + search });
  };

  it('links to every row that is not verified, with its row in the file and the reason', async () => {
    const token = await api.tokenFor();
    const { upload_id, excluded } = await preview(token, {}, file);

    const answer = await download(token, upload_id);

    expect(answer.headers['content-disposition']).toContain('"people - excluded.csv"');
    expect(answer.body.replace('\ufeff', '').trimEnd().split('\n')).toEqual([
      'row,email,reason',
      '4,JANE@exists.test,duplicated',
      `5,"'=cmd@",malformed`,
      '6,,no_email',
      '7,no @ way,malformed',
    ]);
    expect(excluded.filter(({ row }) => row > 2)).toEqual([
      { row: 4, email: 'JANE@exists.test', reason: 'duplicated' },
      { row: 5, email: '=cmd@', reason: 'malformed' },
      { row: 6, email: '', reason: 'no_email' },
      { row: 7, email: 'no @ way', reason: 'malformed' },
    ]);
  });

  it('includes the first row where it is no header', async () => {
    const token = await api.tokenFor();
    const { upload_id } = await preview(token, {}, file);

    expect((await download(token, upload_id, '?with_headers=false')).body).toContain('2,email,malformed');
  });
});

describe('POST /validations/lists_bulk/{upload_id}/estimate', () => {
  const estimate = (token: string, uploadId: string) =>
    api.call('POST', `/validations/lists_bulk/${uploadId}/estimate`, { token });

  it('judges a sample by DNS and our lists, and asks no mail host', async () => {
    const token = await api.tokenFor();
    const { upload_id } = await preview(
      token,
      {},
      'email\njane@exists.test\ninfo@exists.test\nx@no-such-domain.test\nx@null-mx.test\njane@exists.test\nbroken\n',
    );

    const answer = (await estimate(token, upload_id)).json<ListEstimate>();

    expect(answer).toEqual({
      sampled: 4,
      total: 4,
      no_mail_host: 2,
      mail_host: 2,
      not_looked_up: 0,
      disposable: 0,
      role: 1,
      typo: 0,
      questions: [{ provider: null, emails: 2, questions: 2, refusals: null }],
    });
    expect(world.conduct.total.connectionsTotal).toBe(0);
  });

  it('samples 100 of a long file', async () => {
    const token = await api.tokenFor();
    const many = Array.from({ length: 400 }, (_, row) => `jane+${row}@exists.test\n`).join('');
    const { upload_id } = await preview(token, {}, `email\n${many}`);

    expect((await estimate(token, upload_id)).json()).toMatchObject({
      sampled: 100,
      total: 400,
      mail_host: 100,
    });
  });

  it('429 after 30 in an hour', async () => {
    const token = await api.tokenFor();
    const { upload_id } = await preview(token, {}, 'email\njane@exists.test\n');

    const statuses = [];
    for (let call = 0; call < 31; call += 1) statuses.push((await estimate(token, upload_id)).statusCode);

    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true);
    expect(statuses[30]).toBe(429);
  });
});
