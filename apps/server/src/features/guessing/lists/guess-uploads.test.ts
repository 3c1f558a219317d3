import { describe, expect, it } from 'vitest';
import { productOfFile } from '../../../testing/product.ts';
import { newGuessingCustomer } from '../testing/guessing-customer.ts';

const { api } = await productOfFile();

const people = () => new Blob(['name,domain\nJane Doe,dotted.test\n']);
type Part = readonly [name: string, value: string | Blob];

async function preview(...parts: Part[]) {
  const { token, userId } = await newGuessingCustomer(api);
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const answer = await api.call('POST', '/guessing/lists_bulk/validation', { token, body: form });
  const uploads = api.database.db.selectFrom('guess_uploads').select('id').where('owner_id', '=', userId);
  return { answer, keptCount: (await uploads.execute()).length };
}

describe('POST /guessing/lists_bulk/validation', () => {
  it.each<[string, Part[]]>([
    [
      'a field before the file',
      [
        ['colour', 'red'],
        ['list_raw', people()],
      ],
    ],
    [
      'a field behind the file',
      [
        ['list_raw', people()],
        ['colour', 'red'],
      ],
    ],
    ['a file in place of the file', [['colour', people()]]],
    [
      'a file behind the file',
      [
        ['list_raw', people()],
        ['colour', people()],
      ],
    ],
  ])('400 for %s that the call does not know, by its name, and nothing is kept', async (_what, parts) => {
    const { answer, keptCount } = await preview(...parts);

    expect(answer.json().errors[0]).toMatchObject({
      http_status: 400,
      code: 'invalid_request',
      message: 'colour is not a field of this call. Leave it out.',
      meta: { field: 'colour' },
    });
    expect(keptCount).toBe(0);
  });

  it('200 for the file as list_raw or as file, and 400 file_missing for none', async () => {
    expect((await preview(['list_raw', people()])).answer.statusCode).toBe(200);
    expect((await preview(['file', people()])).answer.statusCode).toBe(200);
    const { answer } = await preview();
    expect(answer.json().errors[0]).toMatchObject({ http_status: 400, code: 'file_missing' });
  });
});

describe('people of a file who are not guessed', () => {
  const file = [
    'Team of 2026',
    ...['name,domain,note', 'Jane Doe,dotted.test,1', 'JANE DOE,dotted.test,2', ',dotted.test,3'],
    ...['Ann Lee,gmail.com,4', '=1+1,,5'],
  ].join('\n');

  it('are shown with their rows and reasons before anything is paid, and can be downloaded by their owner', async () => {
    const { token } = await newGuessingCustomer(api);
    const form = new FormData();
    form.append('list_raw', new Blob([file]), 'team.csv');
    const preview = (await api.call('POST', '/guessing/lists_bulk/validation', { token, body: form })).json();
    expect(preview.excluded).toEqual([
      { row: 4, person: 'JANE DOE, dotted.test', reason: 'duplicated' },
      { row: 5, person: 'dotted.test', reason: 'name_missing' },
      { row: 6, person: 'Ann Lee, gmail.com', reason: 'domain_not_company' },
      { row: 7, person: '=1+1', reason: expect.any(String) },
    ]);
    expect(preview.metrics).toMatchObject({ duplicated: 1, non_billable: 3 });

    const path = `/guessing/lists_bulk/${preview.upload_id}/exclusions`;
    const { download_link } = (await api.call('POST', path, { token })).json();
    const { pathname, search } = new URL(download_link);
    const download = await api.app.inject({ url: pathname + search });
    expect(download.headers['content-disposition']).toContain('team - excluded.csv');
    const lines = download.body.replace('\ufeff', '').trimEnd().split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'row,person,reason',
      '4,"JANE DOE, dotted.test",duplicated',
      '5,dotted.test,name_missing',
    ]);
    expect(lines[4]).toBe('7,"\'=1+1",name_not_latin');

    const { token: other } = await newGuessingCustomer(api);
    expect((await api.call('POST', path, { token: other })).statusCode).toBe(404);
    expect((await api.call('POST', path, { token: await api.tokenFor() })).statusCode).toBe(404);
  });
});
