import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClientOf } from './client.ts';
import { ServiceUnavailableError } from './errors.ts';
import { Patience } from './patience.ts';
import { exampleRoutes } from './testing/example-routes.ts';
import { answerJson, startLoopbackApi } from './testing/loopback-api.ts';

type Answer = 'cut' | 'torn' | 'silence' | { status: number; headers?: Record<string, string> };

let answers: Answer[];
let api: Awaited<ReturnType<typeof startLoopbackApi>>;
let waits: number[];
let shown: string[];
let isOnline: boolean;
let goOnline: () => void;
let onOffline: () => void;
let onWait: () => void;

beforeEach(async () => {
  answers = [];
  waits = [];
  shown = [];
  isOnline = true;
  goOnline = () => {};
  onOffline = () => {};
  onWait = () => {};
  api = await startLoopbackApi((_, response) => {
    const answer = answers.shift() ?? { status: 200 };
    if (answer === 'silence') return;
    if (answer === 'cut') return response.destroy();
    if (answer === 'torn') return tearAnswer(response);
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    return answerJson(response, answer.status, { ok: true });
  });
});
afterEach(() => api.stop());

/** Starts an answer and drops the connection in the middle. */
const tearAnswer = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"ok":', () => response.destroy());
};

type GetToken = () => Promise<string | undefined> | string | undefined;
const noToken: GetToken = () => undefined;

/** The limit once the request of each of the first attempts has arrived. Until then, and afterwards, the server may be slow. */
const untilSilent = (attempts: number) => (): number =>
  waits.length < attempts && api.requests.length > waits.length ? 10 : 60_000;

const things = ({ answerWithin = (): number => 60_000, getToken = noToken } = {}) =>
  createClientOf(exampleRoutes, {
    baseUrl: api.baseUrl,
    getToken,
    wait: async (ms) => {
      waits.push(ms);
      onWait();
    },
    connection: {
      get answerWithinMs() {
        return answerWithin();
      },
      isOnline: () => isOnline,
      untilOnline: () =>
        new Promise((resolve) => {
          goOnline = () => {
            isOnline = true;
            resolve();
          };
          onOffline();
        }),
      onWaiting: (reason) => {
        shown.push(`waits: ${reason}`);
        return () => shown.push('goes on');
      },
    },
  }).things;
const cuts = (count: number): Answer[] => Array.from({ length: count }, () => 'cut' as const);

describe('a call to a server that cannot be reached', () => {
  it('is repeated until the server is back, and reports that it waits', async () => {
    answers = cuts(8);

    expect(await things().get()).toEqual({ ok: true });
    expect(api.requests).toHaveLength(9);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(shown.at(0)).toBe('waits: unreachable');
    expect(shown.at(-1)).toBe('goes on');
  });

  it('fails after 60 s without the server', async () => {
    answers = cuts(100);

    await expect(things().get()).rejects.toBeInstanceOf(ServiceUnavailableError);
    const waitedMs = waits.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThan(50_000);
    expect(waitedMs).toBeLessThan(60_000);
    expect(shown.at(-1)).toBe('goes on');
  });

  it('is repeated when the connection breaks in the middle of the answer', async () => {
    answers = ['torn'];

    expect(await things().get()).toEqual({ ok: true });
    expect(shown).toEqual(['waits: unreachable', 'goes on']);
  });

  it('that costs credits carries the same key in every attempt', async () => {
    answers = cuts(5);

    await things().buy();

    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(6);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('that is not repeatable fails at once, because the server may have acted on it', async () => {
    answers = ['cut'];

    await expect(things().make()).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(api.requests).toHaveLength(1);
  });

  it('that is not repeatable is repeated if it was never sent', async () => {
    let tokenCalls = 0;
    const getToken = () => {
      tokenCalls += 1;
      if (tokenCalls === 1) throw new ServiceUnavailableError({ message: 'The provider is away' });
      return undefined;
    };

    expect(await things({ getToken }).make()).toEqual({ ok: true });
    expect(api.requests).toHaveLength(1);
  });

  it('that only reads a file is repeated', async () => {
    answers = cuts(1);

    expect(await things().preview()).toEqual({ ok: true });
  });

  it('that deletes succeeds if a repeat gets 404', async () => {
    const lost: Answer[] = ['cut', 'torn', { status: 502 }, { status: 504 }];
    for (const answer of lost) {
      answers = [answer, { status: 404 }];
      expect(await things().remove({ params: { id: 't1' } })).toBeNull();
    }
  });

  it('that deletes fails with 404 if no earlier attempt can have reached the server', async () => {
    const before: Answer[][] = [[], [{ status: 429 }], [{ status: 503, headers: { 'retry-after': '1' } }]];
    for (const refusals of before) {
      answers = [...refusals, { status: 404 }];
      await expect(things().remove({ params: { id: 't1' } })).rejects.toMatchObject({ http_status: 404 });
    }
  });
});

describe('a call without an answer', () => {
  it('fails when the time is over', async () => {
    answers = ['silence'];

    await expect(things({ answerWithin: () => 20 }).get()).rejects.toMatchObject({
      name: 'ServiceUnavailableError',
      message: 'The server did not answer in time',
      http_status: undefined,
    });
  });

  it('that costs credits is sent again with the same key, because it may be done already', async () => {
    answers = ['silence', 'silence', { status: 200 }];

    expect(await things({ answerWithin: untilSilent(2) }).buy()).toEqual({ ok: true });
    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(shown).toEqual(['waits: unreachable', 'goes on', 'waits: unreachable', 'goes on']);
  });

  it('that costs credits fails after the third silence', async () => {
    answers = Array.from({ length: 10 }, () => 'silence' as const);

    await expect(things({ answerWithin: untilSilent(3) }).buy()).rejects.toMatchObject({
      message: 'The server did not answer in time',
    });
    expect(api.requests).toHaveLength(3);
  });

  it('fails when the time is over while it waits for a token', async () => {
    const call = things({ answerWithin: () => 20, getToken: () => new Promise(() => {}) }).make();

    await expect(call).rejects.toMatchObject({ message: 'The server did not answer in time' });
    expect(api.requests).toHaveLength(0);
  });

  it('ends when its caller aborts while it waits for a token', async () => {
    const call = things({ getToken: () => new Promise(() => {}) }).get({ signal: AbortSignal.abort() });

    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it("rejects with its caller's abort reason", async () => {
    answers = ['silence'];
    const aborting = new AbortController();
    const call = things().get({ signal: aborting.signal });
    aborting.abort(new Error('no longer wanted'));

    await expect(call).rejects.toThrow('no longer wanted');
  });
});

describe('an upload', () => {
  it('that breaks repeatedly after some progress fails in the end', async () => {
    const patience = new Patience(
      {
        answerWithinMs: 60_000,
        isOnline: () => true,
        untilOnline: async () => {},
        onWaiting: () => () => {},
      },
      undefined,
    );
    const cutOff = patience.attempt.bind(
      patience,
      async ({ onUploadProgress }) => {
        onUploadProgress?.({ sentBytes: 1, totalBytes: 2 });
        throw new ServiceUnavailableError();
      },
      () => {},
    );
    const pauses: (number | null)[] = [];
    while (pauses.at(-1) !== null && pauses.length < 100) {
      await expect(cutOff()).rejects.toBeInstanceOf(ServiceUnavailableError);
      pauses.push(patience.pauseMs(pauses.length));
    }

    expect(pauses.at(-1)).toBeNull();
  });
});

describe('a call while the machine is offline', () => {
  const offlineOnce = () =>
    new Promise<void>((resolve) => {
      onOffline = resolve;
    });

  it('is sent when the machine is online again, repeatable or not', async () => {
    isOnline = false;
    const waiting = offlineOnce();
    const call = things().make();
    await waiting;
    expect(api.requests).toHaveLength(0);

    goOnline();
    expect(await call).toEqual({ ok: true });
  });

  it('that was lost is repeated, and its 60 s start again when the machine is online', async () => {
    // Each half takes less than 60 s, both together more.
    answers = cuts(12 + 11);
    onWait = () => {
      if (waits.length === 12) isOnline = false;
    };
    onOffline = () => goOnline();

    expect(await things().get()).toEqual({ ok: true });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(60_000);
  });
});

describe('a call that the server defers', () => {
  it('is repeated after 503 with Retry-After, repeatable or not, and reports that it waits', async () => {
    answers = [{ status: 503, headers: { 'retry-after': '7' } }];

    expect(await things().make()).toEqual({ ok: true });
    expect(waits).toEqual([7_000]);
    expect(shown).toEqual(['waits: busy', 'goes on']);
  });

  it('waits at most 60 s in total', async () => {
    answers = Array.from({ length: 5 }, () => ({ status: 429, headers: { 'retry-after': '40' } }));

    await expect(things().get()).rejects.toMatchObject({ http_status: 429 });
    expect(waits).toEqual([40_000]);
  });
});
