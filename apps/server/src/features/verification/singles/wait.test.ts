import type { AddressInfo } from 'node:net';
import { validationsRoutes } from '@assay/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { startTestWorker, type TestWorker } from '../../../testing/worker.ts';

const path = '/validations/email_validation';
const check = (
  api: TestApi,
  token: string,
  { wait, address = 'jane@exists.test', key }: { wait: unknown; address?: string; key?: string },
) =>
  api.call('POST', `${path}?wait=${wait}`, {
    token,
    body: { email_address: address },
    headers: key ? { 'idempotency-key': key } : {},
  });
const waitCount = async ({ metrics }: TestApi): Promise<number> => {
  const text = await metrics.registry.getSingleMetricAsString('assay_single_waits');
  return Number(text.trim().split(' ').at(-1));
};
const balanceOf = async (api: TestApi, token: string): Promise<number> =>
  (await api.call('GET', '/billing/me', { token })).json().balance;

describe('POST /validations/email_validation?wait', () => {
  // The clock of the API does not move, so that only the event of a verdict can end a wait.
  const clock = movableClock(new Date());
  let api: TestApi;
  let worker: TestWorker;
  beforeAll(async () => {
    api = await startTestApi({ clock });
    worker = await startTestWorker(api);
  });
  afterAll(async () => {
    await worker.close();
    await api.close();
  });

  it('200 with the finished verdict: reason, flags, suggestion and evidence', async () => {
    const token = await api.tokenFor();

    const answer = await check(api, token, { wait: 30 });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers.location).toBeUndefined();
    expect(validationsRoutes.startSingle.success.schema.parse(answer.json())).toMatchObject({
      status: 'COMPLETE',
      email_address_status: 'VALID',
      reason: { code: 'mailbox_accepted' },
      flags: { disposable: false, role: false },
      suggestion: null,
      evidence: expect.arrayContaining([expect.objectContaining({ stage: 'rcpt' })]),
    });
    expect(await balanceOf(api, token)).toBe(999);
    expect(await waitCount(api)).toBe(0);
  });

  it('200 for many parallel calls, each with the verdict of its address', async () => {
    const token = await api.tokenFor();
    const addresses = ['jane@exists.test', 'nobody@exists.test', 'any@catch-all.test', 'max@exists.test'];

    const answers = await Promise.all(addresses.map((address) => check(api, token, { wait: 30, address })));

    expect(answers.map((answer) => [answer.statusCode, answer.json().email_address_status])).toEqual([
      [200, 'VALID'],
      [200, 'INVALID'],
      [200, 'CATCH_ALL'],
      [200, 'UNKNOWN'],
    ]);
  });

  it('200 in another process than the one that started the check', async () => {
    const secondApi = await startTestApi({ clock, beside: api });

    const answer = await check(secondApi, await api.tokenFor(), { wait: 30 });

    expect(answer.statusCode).toBe(200);
    await secondApi.close();
  });

  it('200 for every call with the same Idempotency-Key: one check, one credit', async () => {
    const token = await api.tokenFor();
    const key = 'order-17';

    const twins = await Promise.all([1, 2, 3].map(() => check(api, token, { wait: 30, key })));
    const late = await check(api, token, { wait: 5, key });

    expect([...twins, late].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(new Set([...twins, late].map((answer) => answer.json().id)).size).toBe(1);
    expect(late.json().email_address_status).toBe('VALID');
    expect(await balanceOf(api, token)).toBe(999);
    expect((await check(api, token, { wait: 5, key, address: 'joe@exists.test' })).statusCode).toBe(409);
  });

  it.each(['-1', '51', '1.5', 'long'])('400 for wait=%s, and nothing is started', async (wait) => {
    const token = await api.tokenFor();

    const answer = await check(api, token, { wait });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].meta.field).toBe('wait');
    expect(await balanceOf(api, token)).toBe(1_000);
  });
});

describe('a call that waits while no worker is there', () => {
  const clock = movableClock(new Date());
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi({ clock });
  });
  afterEach(() => api.close());

  const untilWaiting = () => expect.poll(() => waitCount(api)).toBe(1);

  it('202 with a location when the time is over', async () => {
    const token = await api.tokenFor();
    const call = check(api, token, { wait: 20 });
    await untilWaiting();
    clock.advance({ seconds: 20 });
    const answer = await call;

    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ status: 'PENDING', email_address_status: null, evidence: [] });
    expect(answer.headers).toMatchObject({
      location: `/api${path}/${answer.json().id}`,
      'retry-after': '2',
    });
    const found = await api.app.inject({
      url: String(answer.headers.location),
      headers: { authorization: `Bearer ${token}` },
    });
    expect(found.json()).toEqual(answer.json());
    expect(await waitCount(api)).toBe(0);
  });

  it('202 at once for calls above WAITS_PER_CUSTOMER, which do not count for another customer', async () => {
    const narrow = await startTestApi({ clock, beside: api, env: { WAITS_PER_CUSTOMER: '1' } });
    const token = await api.tokenFor();
    const first = check(narrow, token, { wait: 20 });
    await expect.poll(() => waitCount(narrow)).toBe(1);

    expect((await check(narrow, token, { wait: 20 })).statusCode).toBe(202);
    const other = check(narrow, await api.tokenFor(), { wait: 20 });
    await expect.poll(() => waitCount(narrow)).toBe(2);
    clock.advance({ seconds: 20 });

    expect((await first).statusCode).toBe(202);
    expect((await other).statusCode).toBe(202);
    await narrow.close();
  });

  it('202 at once for wait=0, and 201 with a location without wait', async () => {
    const token = await api.tokenFor();

    expect((await check(api, token, { wait: 0 })).statusCode).toBe(202);
    const started = await api.call('POST', path, { token, body: { email: 'jane@exists.test' } });
    expect(started.statusCode).toBe(201);
    expect(started.headers.location).toBe(`/api${path}/${started.json().id}`);
  });

  it('ends when the client disconnects', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.app.server.address() as AddressInfo;
    const token = await api.tokenFor();
    const caller = new AbortController();
    const call = fetch(`http://127.0.0.1:${port}/api${path}?wait=50`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email_address: 'jane@exists.test' }),
      signal: caller.signal,
    });
    await untilWaiting();

    caller.abort();

    await expect(call).rejects.toThrow();
    await expect.poll(() => waitCount(api)).toBe(0);
    // The check itself goes on: it was asked for and is found in the list.
    expect((await api.call('GET', path, { token })).json().total).toBe(1);
  });

  it('202 when the connection for events is lost', async () => {
    const call = check(api, await api.tokenFor(), { wait: 50 });
    await untilWaiting();

    await api.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay api events' and datname = current_database()",
    );

    expect((await call).statusCode).toBe(202);
  });

  it('202 when the process stops', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.app.server.address() as AddressInfo;
    const call = fetch(`http://127.0.0.1:${port}/api${path}?wait=50`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await api.tokenFor()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email_address: 'jane@exists.test' }),
    });
    await untilWaiting();

    const closing = api.app.close();

    expect((await call).status).toBe(202);
    await closing;
  });
});
