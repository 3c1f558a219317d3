import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from './call.ts';
import { createClientOf } from './client.ts';
import { InternalServerError, ServiceUnavailableError } from './errors.ts';
import { wait } from './retry.ts';
import { readRetryAfter } from './retry-after.ts';
import { exampleRoutes } from './testing/example-routes.ts';
import { answerJson, startLoopbackApi } from './testing/loopback-api.ts';

let answers: (() => { status: number; headers?: Record<string, string> } | 'cut')[];
let api: Awaited<ReturnType<typeof startLoopbackApi>>;
let waits: number[];
const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClientOf(exampleRoutes, {
    baseUrl: api.baseUrl,
    wait: async (ms) => void waits.push(ms),
    ...options,
  }).things;

beforeEach(async () => {
  answers = [];
  waits = [];
  api = await startLoopbackApi((_, response) => {
    const answer = answers.shift()?.() ?? { status: 200 };
    if (answer === 'cut') return response.destroy();
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    return answerJson(response, answer.status, { ok: true });
  });
});
afterEach(() => api.stop());

const failing =
  (status: number, headers: Record<string, string> = {}) =>
  () => ({ status, headers });
const cut = () => 'cut' as const;

describe('a call that fails temporarily', () => {
  it.each([429, 502, 503, 504])('is repeated after %i, with a wait that grows', async (status) => {
    answers = [failing(status), failing(status)];

    expect(await clientWith().get()).toEqual({ ok: true });
    expect(api.requests).toHaveLength(3);
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[1]).toBeLessThanOrEqual(1_000);
  });

  it('is repeated when no answer came', async () => {
    answers = [cut];

    expect(await clientWith().get()).toEqual({ ok: true });
  });

  it('waits at least as long as Retry-After says, in seconds or as a date', async () => {
    answers = [
      failing(429, { 'retry-after': '7' }),
      failing(503, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
    ];

    await clientWith().get();

    expect(waits[0]).toBe(7_000);
    expect(waits[1]).toBeGreaterThan(20_000);
  });

  it('is not repeated when Retry-After is more than a minute', async () => {
    answers = [failing(429, { 'retry-after': '3600' })];

    await expect(clientWith().get()).rejects.toMatchObject({ http_status: 429, retry_after_ms: 3_600_000 });
    expect(api.requests).toHaveLength(1);
  });

  it('rejects with the last error when it keeps failing', async () => {
    answers = [failing(503), failing(503), failing(502)];

    await expect(clientWith().get()).rejects.toMatchObject({ http_status: 502 });
    expect(api.requests).toHaveLength(3);
  });

  it('is repeated as often as retries says, and not at all with 0', async () => {
    answers = [failing(503)];

    await expect(clientWith({ retries: 0 }).get()).rejects.toBeInstanceOf(InternalServerError);
    expect(api.requests).toHaveLength(1);
  });

  it('stops waiting when it is aborted', async () => {
    answers = [failing(503)];
    const aborting = new AbortController();
    const waiting = (ms: number, signal: AbortSignal | undefined) => {
      const waited = wait(ms, signal);
      aborting.abort(new Error('no longer wanted'));
      return waited;
    };

    await expect(clientWith({ wait: waiting }).get({ signal: aborting.signal })).rejects.toThrow(
      'no longer wanted',
    );
  });
});

describe('a call that fails permanently', () => {
  it.each([400, 401, 402, 404, 409, 500])('is not repeated after %i', async (status) => {
    answers = [failing(status)];

    await expect(clientWith().get()).rejects.toMatchObject({ http_status: status });
    expect(api.requests).toHaveLength(1);
  });
});

describe('a call that changes something', () => {
  it('that costs credits is repeated with one key, which the client creates if none is given', async () => {
    answers = [cut, failing(503)];

    await clientWith().buy();

    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    await clientWith().buy({ idempotencyKey: 'mine' });
    expect(api.requests.at(-1)?.headers['idempotency-key']).toBe('mine');
  });

  it('that is not idempotent is repeated only after a rate limit', async () => {
    answers = [cut];
    await expect(clientWith().make()).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(api.requests).toHaveLength(1);

    answers = [failing(503)];
    await expect(clientWith().make()).rejects.toMatchObject({ http_status: 503 });
    answers = [failing(429)];
    expect(await clientWith().make()).toEqual({ ok: true });
    expect(api.requests.at(-1)?.headers['idempotency-key']).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['12', 12_000],
    ['Thu, 01 Jan 1970 00:00:20 GMT', 10_000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is %j ms', (header, ms) => {
    expect(readRetryAfter(header, 10_000)).toBe(ms);
  });
});
