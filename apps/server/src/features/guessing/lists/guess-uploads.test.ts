import type { Guess, GuessList, GuessPreview } from '@assay/contract';
import { startMailWorld } from '@assay/mail-world';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { productOfFile } from '../../../testing/product.ts';
import { balanceOf, createFrom, newGuessingCustomer } from '../testing/guessing-customer.ts';
import { evenSample } from './even-sample.ts';

const { api } = await productOfFile();

const people = () => new Blob(['name,domain\nJane Doe,dotted.test\n']);
type Part = readonly [name: string, value: string | Blob];

async function preview(...parts: Part[]) {
  const { token, userId } = await newGuessingCustomer(api);
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const answer = await api.call('POST', '/guessing/lists_bulk/validation', { token, body: form });
  const uploads = api.database.db.selectFrom('uploads').select('id').where('owner_id', '=', userId);
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

describe('the columns of a file of people', () => {
  const file = 'given,family,company,branch\nJane,Doe,dotted.test,catch-all.test\nAnn,Lee,dotted.test,\n';

  async function newUpload(fields: Record<string, string> = {}, of: TestApi = api) {
    const customer = await newGuessingCustomer(of);
    const { token } = customer;
    const post = (values: Record<string, string | Blob>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(values)) body.append(name, value);
      return of.call('POST', '/guessing/lists_bulk/validation', { token, body });
    };
    const first = (await post({ ...fields, list_raw: new Blob([file]) })).json<GuessPreview>();
    const uploadId = first.upload_id;
    return {
      customer,
      first,
      uploadId,
      choose: (columns: Record<string, string>, id = uploadId) => post({ ...columns, upload_id: id }),
      estimate: (as = token) => of.call('POST', `/guessing/lists_bulk/${uploadId}/estimate`, { token: as }),
    };
  }
  const columnsOf = ({ detected }: GuessPreview) =>
    detected.columns.map(({ field, column }) => [field, column]);

  it('are chosen by the customer: the preview counts again, and the list is made of them', async () => {
    const { first, uploadId, choose, customer } = await newUpload({
      full_name_column: '1',
      domain_column: '3',
    });
    expect(columnsOf(first)).toEqual([
      ['full_name', 'given'],
      ['domain', 'company'],
    ]);

    const chosen = (
      await choose({ first_name_column: '1', last_name_column: '2', domain_column: '4' })
    ).json<GuessPreview>();
    expect(columnsOf(chosen)).toEqual([
      ['first_name', 'given'],
      ['last_name', 'family'],
      ['domain', 'branch'],
    ]);
    expect(chosen).toMatchObject({
      upload_id: uploadId,
      total_credits: 1,
      metrics: { billable: 1, non_billable: 1, duplicated: 0 },
      detected: { encoding: first.detected.encoding, format: 'csv' },
      excluded: [{ row: 3, person: 'Ann, Lee', reason: 'domain_missing' }],
    });

    const { id } = (await createFrom(api, customer, { upload_id: uploadId })).json<GuessList>();
    const { results } = (
      await api.call('GET', `/guessing/lists/${id}/people`, { token: customer.token })
    ).json<{ results: Guess[] }>();
    expect(results.map(({ domain }) => domain)).toEqual(['catch-all.test']);
  });

  it('are detected again if the call names none; 400 without a domain or a name, 404 for another customer', async () => {
    const { first, uploadId, choose, customer } = await newUpload();
    expect((await choose({ first_name_column: '2', domain_column: '3' })).json<GuessPreview>()).not.toEqual(
      first,
    );
    expect((await choose({})).json()).toEqual(first);

    const incomplete: Record<string, string>[] = [
      { domain_column: '3' },
      { first_name_column: '1', last_name_column: '2' },
    ];
    for (const columns of incomplete) {
      const answer = await choose(columns);
      expect(answer.json().errors[0]).toMatchObject({ http_status: 400, code: 'guess_file_no_people' });
    }
    const zero = await choose({ domain_column: '0', first_name_column: '1' });
    expect(zero.json().errors[0]).toMatchObject({ http_status: 400, meta: { field: 'domain_column' } });
    const other = await newUpload();
    expect((await other.choose({}, uploadId)).json().errors[0]).toMatchObject({ code: 'upload_not_found' });
    expect((await createFrom(api, customer, { upload_id: uploadId })).json()).toMatchObject({
      total_people: 2,
    });
  });

  it('are needed before the file, which is read while it arrives', async () => {
    const { answer } = await preview(['list_raw', people()], ['domain_column', '2']);
    expect(answer.json().errors[0]).toMatchObject({ http_status: 400, meta: { field: 'domain_column' } });
  });

  it('are estimated by the domains of a sample, 30 times an hour, for the owner only', async () => {
    const world = await startMailWorld();
    onTestFinished(() => world.close());
    const env = { ASSAY_DNS: world.dns, ASSAY_ALLOW_RANGES: world.allowRanges.join(',') };
    const looking = await startTestApi({ env });
    onTestFinished(() => looking.close());
    const { customer, estimate, choose } = await newUpload({}, looking);
    expect((await estimate()).json()).toEqual({
      total: 2,
      sampled: 2,
      no_mail_host: 0,
      mail_host: 2,
      not_looked_up: 0,
    });
    await choose({ first_name_column: '1', domain_column: '4' });
    expect((await estimate()).json()).toMatchObject({ total: 1, sampled: 1 });
    const statuses: number[] = [];
    for (let call = 0; call < 29; call += 1) statuses.push((await estimate()).statusCode);
    expect([new Set(statuses.slice(0, 28)), statuses.at(-1)]).toEqual([new Set([200]), 429]);
    const other = await newGuessingCustomer(looking);
    expect((await estimate(other.token)).json().errors[0]).toMatchObject({ code: 'upload_not_found' });
    expect(await balanceOf(looking, customer)).toBe(1_000);
    expect(world.conduct.total.connectionsTotal).toBe(0);
  });

  it('a long file is sampled from all of its parts', () => {
    const numbers = Array.from({ length: 1_050 }, (_, number) => number);
    const sample = evenSample(numbers, 100);
    expect(sample).toHaveLength(100);
    expect([sample[0], (sample.at(-1) ?? 0) > 1_030]).toEqual([0, true]);
    expect(evenSample(numbers.slice(0, 7), 100)).toEqual([0, 1, 2, 3, 4, 5, 6]);
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
