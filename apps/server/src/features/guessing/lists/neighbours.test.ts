import type { GuessList, GuessPreview } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../testing/api.ts';
import { watchTurns } from '../../../testing/watch-turns.ts';
import { createFrom, newGuessingCustomer, previewPeople, startList } from '../testing/guessing-customer.ts';

const api = await startTestApi();
afterAll(() => api.close());

const headed = (rows: readonly string[]) => ['First name,Last name,Domain', ...rows].join('\n');
const jane = 'Jane,Doe,dotted.test';

describe('people files of one customer leave the API free for others', () => {
  it.each(['csv', 'xlsx'])(
    'as an export to %s that fills 2,000 short rows up to 1,000 columns',
    async (format) => {
      const customer = await newGuessingCustomer(api);
      const wide = `${jane}${','.repeat(997)}`;
      const { id } = await startList(api, customer, headed([wide, ...Array<string>(2_000).fill('x')]));
      const { token } = customer;
      const order = await api.call('POST', `/guessing/lists/${id}/export?rows=all&format=${format}`, {
        token,
      });
      const { pathname, search } = new URL(order.json().download_link);
      const turns = watchTurns();
      const file = await api.app.inject({ url: pathname + search });
      // Without slices, the file takes about half a second.
      expect(turns.longestCpuMs()).toBeLessThan(100);
      expect(file.statusCode).toBe(200);
      if (format === 'csv') expect(file.body.trimEnd().split('\n')).toHaveLength(2_002);
    },
  );

  it('while a list is made of 2 million cells', async () => {
    const customer = await newGuessingCustomer(api);
    const rows = Array<string>(1_000).fill(','.repeat(1_990));
    const { upload_id } = (await previewPeople(api, customer, headed([jane, ...rows]))).json<GuessPreview>();
    const turns = watchTurns();
    const list = await createFrom(api, customer, { upload_id });
    // With its cells as strings of their own, the loop takes two tenths of a second to receive and format them.
    expect(turns.longestCpuMs()).toBeLessThan(100);
    expect(list.json<GuessList>()).toMatchObject({ excluded_people: { non_billable: 1_000 } });
  }, 300_000);

  it('422 for a row of more than 2,000 columns, which its message names', async () => {
    const customer = await newGuessingCustomer(api);
    const answer = await previewPeople(api, customer, headed([jane, `${jane}${',"a"'.repeat(247_000)}`]));
    expect(answer.json().errors[0]).toMatchObject({
      http_status: 422,
      code: 'file_too_many_columns',
      message: 'Row 3 has more than 2,000 columns. Leave columns out and try again.',
      meta: { row: 3, max: 2_000 },
    });
  });
});
