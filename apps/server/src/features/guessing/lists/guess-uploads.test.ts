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
