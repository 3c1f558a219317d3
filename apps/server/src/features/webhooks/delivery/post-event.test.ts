import type { LookupAddress } from 'node:dns';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { type PostOptions, postEvent } from './post-event.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const loopback = ['127.0.0.1/32', '::1/128'];
const post = (url: string, options: Partial<PostOptions> = {}, signal = new AbortController().signal) =>
  postEvent({ url, headers: { 'x-test': '1' }, body: '{}' }, { allowRanges: loopback, ...options }, signal);
const portOf = (url: string) => new URL(url).port;

describe('posting an event', () => {
  it('counts any 2xx as delivered', async () => {
    receiver.answer((response) => response.writeHead(202).end('thanks'));

    expect(await post(receiver.url)).toMatchObject({ isDelivered: true, responseStatus: 202, error: null });
    expect(receiver.events.at(-1)).toMatchObject({ body: '{}', headers: { 'x-test': '1' } });
  });

  it.each([
    [302, 'Answered 302. Redirects are not followed: give the address that they lead to.'],
    [400, 'Answered 400.'],
    [500, 'Answered 500.'],
  ])('is not delivered by %i', async (status, error) => {
    receiver.answer((response) => response.writeHead(status, { location: receiver.url }).end());
    const before = receiver.attempts;

    expect(await post(receiver.url)).toMatchObject({ isDelivered: false, isRefused: false, error });
    expect(receiver.attempts).toBe(before + 1);
  });

  it('counts 410 as a permanent refusal', async () => {
    receiver.answer((response) => response.writeHead(410).end());

    expect(await post(receiver.url)).toMatchObject({ isDelivered: false, isRefused: true });
  });

  it('returns Retry-After', async () => {
    receiver.answer((response) => response.writeHead(503, { 'retry-after': '90' }).end());

    expect((await post(receiver.url)).retryAfterMs).toBe(90_000);
  });

  it('times out', async () => {
    receiver.answer(() => undefined);

    expect(await post(receiver.url, { timeoutMs: 50 })).toMatchObject({
      isDelivered: false,
      responseStatus: null,
    });
  });

  it('is not delivered to a receiver that switches to another protocol', async () => {
    receiver.answer((response) =>
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );

    expect(await post(receiver.url)).toMatchObject({
      isDelivered: false,
      isRefused: false,
      responseStatus: 101,
      error: 'Answered 101.',
    });
  });

  it('stops reading an endless answer', async () => {
    receiver.answer((response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });

    expect(await post(receiver.url)).toMatchObject({ isDelivered: true });
  });

  it.each([
    ['never ends', () => undefined],
    ['is cut off', (response: ServerResponse) => response.destroy()],
  ])('counts a 2xx whose body %s as delivered', async (_how, after) => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => after(response));
    });

    expect(await post(receiver.url, { timeoutMs: 500 })).toMatchObject({
      isDelivered: true,
      responseStatus: 200,
    });
  });

  it('explains a failure on the way to a public host', async () => {
    const failing = (code: string) =>
      post('https://hooks.example/', { resolve: () => Promise.reject({ code }) }).then(({ error }) => error);

    expect(await failing('ENOTFOUND')).toMatch(/^The host name leads nowhere on the internet/);
    expect(await failing('ECONNREFUSED')).toBe('The connection was refused.');
    expect(await failing('EOTHER')).toBe('The connection failed.');
  });

  it('gives the same text for every failing port of a private network, open or closed', async () => {
    const closed = await startReceiver();
    await closed.close();
    receiver.answer(() => undefined);
    const named = `http://localhost:${portOf(closed.url)}/`;

    const outcomes = await Promise.all([
      post(closed.url),
      post(named, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
      post(receiver.url, { timeoutMs: 50 }),
      post(receiver.url.replace('http:', 'https:')),
    ]);

    expect(new Set(outcomes.map(({ error }) => error)).size).toBe(1);
    expect(outcomes[0]?.error).toMatch(/did not take the event/);
  });

  it('throws when the caller aborts, because that says nothing about the receiver', async () => {
    const stopping = new AbortController();
    receiver.answer(() => stopping.abort(new Error('stopping')));

    await expect(post(receiver.url, {}, stopping.signal)).rejects.toThrow('stopping');
  });
});

describe('a name that resolves to a private network', () => {
  const forbidden = expect.stringContaining('leads nowhere on the internet');
  const leadingTo =
    (...answers: LookupAddress[][]) =>
    async () =>
      answers.shift() ?? [];

  it.each(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN'])('looks like one that fails with %s', async (code) => {
    const errorOf = async (resolve: () => Promise<LookupAddress[]>) =>
      (await post('https://hooks.example/', { allowRanges: [], resolve })).error;

    expect(await errorOf(leadingTo([{ address: '10.1.2.3', family: 4 }]))).toBe(
      await errorOf(() => Promise.reject({ code })),
    );
  });

  it('is refused when dialled, although the URL is acceptable', async () => {
    const before = receiver.attempts;
    const outcome = await post(`https://hooks.example:${portOf(receiver.url)}/`, {
      allowRanges: [],
      resolve: leadingTo([{ address: '127.0.0.1', family: 4 }]),
    });

    expect(outcome).toMatchObject({ isDelivered: false, error: forbidden });
    expect(receiver.attempts).toBe(before);
  });

  it('is resolved at each try, so that a changed name is caught', async () => {
    receiver.answer((response) => response.writeHead(200).end());
    const url = `http://localhost:${portOf(receiver.url)}/`;
    const before = receiver.attempts;
    // First an allowed address, then the metadata service of a cloud.
    const resolve = leadingTo(
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '169.254.169.254', family: 4 }],
    );

    expect((await post(url, { resolve })).isDelivered).toBe(true);
    expect((await post(url, { resolve })).error).toEqual(forbidden);
    expect(receiver.attempts).toBe(before + 1);
  });

  it('is dialled only at its allowed addresses', async () => {
    receiver.answer((response) => response.writeHead(200).end());
    const url = `http://localhost:${portOf(receiver.url)}/`;
    const resolve = leadingTo([
      { address: '10.0.0.1', family: 4 },
      { address: 'fd00::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);

    expect((await post(url, { resolve })).isDelivered).toBe(true);
  });

  it('is checked against the current ranges, also if it was registered under others', async () => {
    expect((await post(receiver.url, { allowRanges: [] })).error).toEqual(forbidden);
  });
});
