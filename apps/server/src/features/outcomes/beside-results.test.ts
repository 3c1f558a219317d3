import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';

let api: TestApi;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

it('outcomes stand beside the results of lists and singles, which stay as they are', async () => {
  const token = await api.tokenFor();
  const read = async (path: string) => (await api.call('GET', path, { token })).json();
  const emails = ['jane@exists.test', 'max@exists.test'];
  const { id } = (await api.call('POST', '/validations/lists', { token, body: { emails } })).json();
  await expect
    .poll(async () => (await read(`/validations/lists/${id}`)).status, { timeout: 30_000 })
    .toBe('COMPLETE');
  const single = await api.call('POST', '/validations/email_validation?wait=20', {
    token,
    body: { email_address: 'ada@exists.test' },
  });
  const list = `/validations/lists/${id}/emails`;
  const before = await read(list);
  const singleBefore = await read(`/validations/email_validation/${single.json().id}`);
  const at = new Date(Date.now() + 60_000).toISOString();
  const outcomes = [
    { email: 'Jane@exists.test', kind: 'bounce', at, detail: '550 5.1.1 User unknown' },
    { email: 'ada@exists.test', kind: 'complaint', at },
  ];

  expect((await api.call('POST', '/outcomes', { token, body: { outcomes } })).statusCode).toBe(200);

  const bounce = {
    kind: 'hard',
    at: expect.any(String),
    reason: { code: 'no_such_mailbox', text: 'no such mailbox' },
    words: '550 5.1.1 User unknown',
  };
  await expect
    .poll(async () => (await read(list)).results[0].outcomes, { timeout: 30_000 })
    .toEqual([bounce]);
  const { results } = await read(list);
  expect(results).toEqual([{ ...before.results[0], outcomes: [bounce] }, before.results[1]]);
  expect((await read(`${list}/${results[0].id}`)).outcomes).toEqual([bounce]);
  const complaint = { kind: 'complaint', reason: { text: 'marked as junk' } };
  const singleNow = await read(`/validations/email_validation/${single.json().id}`);
  expect(singleNow).toEqual({ ...singleBefore, outcomes: [expect.objectContaining({ kind: 'complaint' })] });
  expect((await read('/validations/email_validation')).results[0].outcomes).toMatchObject([complaint]);
}, 90_000);
