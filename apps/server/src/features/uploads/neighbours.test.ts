import { API_BASE } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWorkbook } from '../../platform/workbooks/testing/build-workbook.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { watchTurns } from '../../testing/watch-turns.ts';

describe('files of one customer', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  const send = (token: string, path: string, contents: string | Buffer) => {
    const form = new FormData();
    form.append('list_raw', new Blob([Buffer.from(contents)]));
    return api.call('POST', path, { token, body: form });
  };
  const preview = '/validations/lists_bulk/validation';

  it('leave the API free for others while they are read', async () => {
    const messy = `email\n${'Jane <jane@exists.test>; max@exists.test, x@@y <\n'.repeat(40_000)}`;
    const [customer, neighbour] = [await api.tokenFor(), await api.tokenFor()];
    await send(customer, preview, messy.slice(0, 20_000));
    let isRead = false;
    const reading = send(customer, preview, messy).finally(() => {
      isRead = true;
    });
    const statuses: number[] = [];
    // A customer has 6,000 calls a minute.
    while (!isRead && statuses.length < 300)
      statuses.push((await api.call('GET', '/users/me', { token: neighbour })).statusCode);

    expect((await reading).json()).toMatchObject({ detected: { rows: 40_001 } });
    // On the event loop, the file left room for one or two calls.
    expect(statuses.length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it.each([
    ['without headers', '--x\r\n\r\n\r\n'],
    ['that are fields', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'],
  ])('413 for a form of 30,000 parts %s, read in short turns of the event loop', async (_parts, part) => {
    const headers = {
      authorization: `Bearer ${await api.tokenFor()}`,
      'content-type': 'multipart/form-data; boundary=x',
    };
    const payload = `${part.repeat(30_000)}--x--`;
    const turns = watchTurns();
    const answer = await api.app.inject({ method: 'POST', url: `${API_BASE}${preview}`, headers, payload });
    // At once, the parser takes a quarter of a second for it.
    expect(turns.longestCpuMs()).toBeLessThan(100);
    expect(answer.statusCode).toBe(413);
  });

  it('422 for a row of 247,000 quoted cells, and no list, no upload and no credit', async () => {
    const token = await api.tokenFor();
    const balance = async () => (await api.call('GET', '/billing/me', { token })).json();
    const before = await balance();
    const row = `email${',"a"'.repeat(247_000)}\njane@exists.test\n`;
    for (const path of [preview, '/validations/lists_bulk']) {
      expect((await send(token, path, row)).json().errors[0]).toMatchObject({
        http_status: 422,
        code: 'file_too_many_columns',
        message: 'Row 1 has more than 2,000 columns. Leave columns out and try again.',
        meta: { row: 1, max: 2_000 },
      });
    }
    expect(await balance()).toEqual(before);
    const lists = await api.call('GET', '/validations/lists', { token });
    expect(lists.json()).toMatchObject({ total: 0 });
  });

  it('may be five small workbooks at the same time', async () => {
    const token = await api.tokenFor();
    const workbook = buildWorkbook([{ name: 'Emails', rows: [['email'], ['jane@exists.test']] }]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(token, preview, workbook)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  });
});
