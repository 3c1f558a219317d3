import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { defineRoute, errorAnswerSchema, textList } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { movableClock } from '../../testing/clock.ts';
import { type TestHttpServer, testHttpServer } from '../../testing/http-server.ts';
import { AppError } from '../errors/index.ts';
import type { AllowanceStore } from '../limits/index.ts';
import { TEXT_LENGTH_MAX } from '../text-limits.ts';
import { addHealth } from './health.ts';
import { limitRequests } from './rate-limits.ts';
import { registerRoute } from './route.ts';

const renameList = defineRoute({
  method: 'PUT',
  path: '/lists/:list_id',
  auth: 'public',
  tag: 'Test',
  summary: 'Renames',
  params: z.strictObject({ list_id: z.uuid() }),
  query: z.strictObject({ dry: z.optional(z.stringbool()) }),
  body: z.strictObject({
    name: z.string().check(z.minLength(2, 'Name requires at least 2 characters')),
    size: z.optional(z.number().check(z.maximum(100))),
    owner: z.optional(z.strictObject({ id: z.number() })),
  }),
  success: { status: 200, schema: z.object({ name: z.string() }) },
});
const removeList = defineRoute({
  method: 'DELETE',
  path: '/lists/:list_id',
  auth: 'public',
  tag: 'Test',
  summary: 'Removes',
  success: { status: 204, schema: z.null() },
});
const createList = defineRoute({
  method: 'POST',
  path: '/lists',
  auth: 'public',
  tag: 'Test',
  summary: 'Creates',
  bodyBytesMax: 8 * 1024 * 1024,
  body: z.strictObject({
    emails: textList({ lengthMax: 100_000, textLengthMax: 1_000, ifEmpty: 'None.', ifTooLong: 'Too many.' }),
  }),
  success: { status: 201, schema: z.object({ count: z.number() }) },
});
const breakDown = (path: `/${string}`) =>
  defineRoute({
    method: 'GET',
    path,
    auth: 'public',
    tag: 'Test',
    summary: 'Fails',
    success: { status: 200, schema: z.object({ fine: z.literal(true) }) },
  });

describe('an answer', () => {
  let server: TestHttpServer;
  const path = '/lists/3f8e1f1e-6c1a-4c65-9a10-0d2f0a0b1c2d';

  beforeAll(async () => {
    server = await testHttpServer((app) => {
      registerRoute(app, renameList, async ({ body }) => ({ name: body.name, secret: 'kept' }));
      registerRoute(app, removeList, async () => null);
      registerRoute(app, createList, async ({ body }) => ({ count: body.emails.length }));
      registerRoute(app, breakDown('/broken'), async () => {
        throw new Error('duplicate key (ada@example.com) eyJhbGciOiJub25lIn0.e30.');
      });
      registerRoute(app, breakDown('/mistaken'), async () => ({ fine: false }) as never);
      registerRoute(app, breakDown('/refused'), async () => {
        throw new AppError('insufficient_credits', { userId: 'somebody-else' }, { meta: { missing: 3 } });
      });
    });
  });
  afterAll(() => server.app.close());

  const put = async (payload: unknown, headers: Record<string, string> = {}, url = path) => {
    const answer = await server.app.inject({
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
    return {
      answer,
      error: answer.statusCode < 400 ? null : errorAnswerSchema.parse(answer.json()).errors[0],
    };
  };

  const postList = (payload: string) =>
    server.app.inject({
      method: 'POST',
      url: '/lists',
      headers: { 'content-type': 'application/json' },
      payload,
    });

  it('holds what the contract promises and nothing else', async () => {
    expect((await put({ name: 'Leads' })).answer.json()).toEqual({ name: 'Leads' });
  });

  it('204 has no body', async () => {
    const answer = await server.app.inject({ method: 'DELETE', url: path });

    expect([answer.statusCode, answer.body]).toEqual([204, '']);
  });

  it('400 in the contract’s own words, naming the field', async () => {
    const { error } = await put({ name: 'L' });

    expect(error).toMatchObject({
      code: 'invalid_request',
      message: 'Name requires at least 2 characters',
      http_status: 400,
      meta: { field: 'name' },
    });
  });

  it.each([
    [{}, 'name', 'name is required.'],
    [undefined, 'name', 'name is required.'],
    [{ name: 'Leads', colour: 'red' }, 'colour', 'colour is not a field of this call. Leave it out.'],
    [
      { name: 'Leads', owner: { id: 1, x: 2 } },
      'owner.x',
      'owner.x is not a field of this call. Leave it out.',
    ],
    [{ name: 'Leads', size: 101 }, 'size', 'size must be 100 or less.'],
    [{ name: 7 }, 'name', 'name must be text.'],
  ])('400 says what to change about %j', async (body, field, message) => {
    const { error } = await put(body === undefined ? '{}' : body);

    expect(error).toMatchObject({ code: 'invalid_request', message, meta: { field } });
  });

  it('400 names every field that is wrong, not only the first', async () => {
    const { error } = await put({ name: 'L', size: 101 });

    expect(error?.meta.problems).toMatchObject([{ field: 'name' }, { field: 'size' }]);
  });

  it.each([
    ['body', path, { name: 'Leads', ['x'.repeat(900)]: 1 }],
    ['query', `${path}?${'x'.repeat(15_000)}=1`, { name: 'Leads' }],
  ])('400 tells back and logs the head only of a long name in the %s', async (_, url, body) => {
    const { error } = await put(body, {}, url);
    const cut = `${'x'.repeat(TEXT_LENGTH_MAX.fieldName - 1)}…`;

    expect(error).toMatchObject({
      code: 'invalid_request',
      message: `${cut} is not a field of this call. Leave it out.`,
      meta: { field: cut },
    });
    expect(server.logLines.find((line) => line.trace_id === error?.trace_id)).toMatchObject({
      details: { fields: [cut] },
    });
  });

  it('400 names the first 20 problems of a list and counts up to 500', async () => {
    const answer = await postList(JSON.stringify({ emails: Array(100_000).fill(7) }));
    const { meta, trace_id } = errorAnswerSchema.parse(answer.json()).errors[0] ?? {};

    expect(meta).toMatchObject({ field: 'emails.0', problem_count: 500 });
    expect(meta?.problems).toHaveLength(20);
    expect(answer.body.length).toBeLessThan(5_000);
    const logged = server.logLines.filter((line) => line.trace_id === trace_id);
    expect(JSON.stringify(logged).length).toBeLessThan(2_000);
  });

  it.each([
    ['8 MB of opening brackets', '['.repeat(8_000_000), 400, 'invalid_request'],
    ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`, 400, 'invalid_request'],
    ['2 million empty lists', `{"emails":[${'[],'.repeat(2_000_000)}[]]}`, 413, 'payload_too_large'],
  ])('refuses %s before anything is built from them', async (_, payload, status, code) => {
    const answer = await postList(payload);

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([status, code]);
    expect(answer.json().errors[0].message).toMatch(/nests deeper than 20 levels|too many values/);
  });

  it('does not take brackets and commas inside of strings for structure', async () => {
    const tricky = ['['.repeat(50), '",'.repeat(50), '\\'.repeat(50), '\\"['.repeat(50), '{"a":[[['];

    expect((await postList(JSON.stringify({ emails: tricky }))).json()).toEqual({ count: tricky.length });
  });

  it('400 for what is wrong in the address', async () => {
    expect((await put({ name: 'Leads' }, {}, '/lists/17')).error).toMatchObject({
      meta: { field: 'list_id' },
    });
    expect((await put({ name: 'Leads' }, {}, `${path}?wet=1`)).error).toMatchObject({
      meta: { field: 'wet' },
    });
    expect((await put({ name: 'Leads' }, {}, '/lists/%E0%A4%A')).error).toMatchObject({
      code: 'bad_request',
    });
  });

  it.each([
    ['{"name":', 'application/json', 400, 'malformed_json'],
    ['', 'application/json', 400, 'malformed_json'],
    ['{"__proto__":{"name":"x"}}', 'application/json', 400, 'malformed_json'],
    ['name=Leads', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['{"name":"Leads"}', 'text/plain', 415, 'unsupported_media_type'],
    [JSON.stringify({ name: 'x'.repeat(2_000) }), 'application/json', 413, 'payload_too_large'],
  ])('%s… sent as %s is refused with %i', async (payload, type, status, code) => {
    expect((await put(payload, { 'content-type': type })).error).toMatchObject({ http_status: status, code });
  });

  it('404 where there is nothing, 405 where another method is taken', async () => {
    const nothing = await server.app.inject('/nothing');
    const wrongMethod = await server.app.inject({ method: 'PATCH', url: `${path}?page=1` });

    expect([nothing.statusCode, nothing.json().errors[0].code]).toEqual([404, 'route_not_found']);
    expect([wrongMethod.statusCode, wrongMethod.json().errors[0].code]).toEqual([405, 'method_not_allowed']);
    expect(wrongMethod.headers.allow).toBe('DELETE, PUT');
  });

  it('to an expected refusal has its code, its text and its meta, while details stay in the log', async () => {
    const answer = await server.app.inject('/refused');
    const [error] = errorAnswerSchema.parse(answer.json()).errors;

    expect(error).toMatchObject({ code: 'insufficient_credits', http_status: 402, meta: { missing: 3 } });
    expect(answer.body).not.toContain('somebody-else');
    expect(server.logLines.find((line) => line.trace_id === error?.trace_id)).toMatchObject({
      code: 'insufficient_credits',
      details: { userId: 'somebody-else' },
    });
  });

  it.each(['/broken', '/mistaken'])('500 tells a trace id and no detail: %s', async (url) => {
    const answer = await server.app.inject(url);
    const [error] = errorAnswerSchema.parse(answer.json()).errors;

    expect(error).toMatchObject({ code: 'internal_error', http_status: 500, meta: {} });
    expect(answer.body).not.toMatch(/duplicate|example\.com|fine/);
    expect(server.logLines.find((line) => line.trace_id === error?.trace_id)).toMatchObject({
      level: 'error',
      msg: 'request failed',
    });
  });

  it('carries a new trace id in its header, its body and its log lines, whatever the caller sends', async () => {
    const sent = {
      'x-trace-id': 'mine',
      'x-request-id': 'mine',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    const { answer, error } = await put({}, sent);
    const traceId = answer.headers['x-trace-id'];

    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId).not.toBe('a'.repeat(32));
    expect(error?.trace_id).toBe(traceId);
    expect(server.logLines.filter((line) => line.trace_id === traceId).map((line) => line.msg)).toContain(
      'answered',
    );
  });

  it('is logged by its route, and never with its address, headers or body', async () => {
    await put({ name: 'ada@example.com' }, { authorization: 'Bearer secret-token' }, `${path}?dry=true`);
    await server.app.inject('/nothing/ada@example.com?email=ada@example.com');
    await server.app.inject('/broken');

    const log = JSON.stringify(server.logLines);
    expect(log).toContain('"route":"/lists/:list_id"');
    expect(log).not.toMatch(/ada@|secret-token|dry=true|3f8e1f1e|eyJ|127\.0\.0\.1/);
  });

  it('is none to a connection that was kept ready and never asked anything', async () => {
    const { app } = await testHttpServer(() => undefined);
    onTestFinished(() => app.close());
    await app.listen({ port: 0, host: '127.0.0.1' });
    const accepted = once(app.server, 'connection');
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const pieces: Buffer[] = [];
    client.on('data', (piece) => pieces.push(piece));
    const [socket] = await accepted;

    const waitedTooLong = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', waitedTooLong, socket);

    await once(client, 'close');
    expect(`${Buffer.concat(pieces)}`).toBe('');
  });

  it('to what is no HTTP at all, or names no host, is still in the error model', async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    for (const bytes of ['NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(bytes);
      let text = '';
      socket.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      await once(socket, 'close');

      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [error] = errorAnswerSchema.parse(JSON.parse(body)).errors;
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(head).toContain(`x-trace-id: ${error?.trace_id}`);
    }
  });
});

describe('a body that is too long', () => {
  const clock = movableClock();
  let server: TestHttpServer;
  beforeAll(async () => {
    server = await testHttpServer((app) => registerRoute(app, createList, async () => ({ count: 0 })), {
      schedule: clock.schedule,
    });
    await server.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.app.close());

  const bodyBytes = 9_000_000;
  /** Sends no more than the head, and returns once the refusal has come. */
  async function beginRefused() {
    const { port } = server.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (part) => {
      received += part;
    });
    const head = ['POST /lists HTTP/1.1', 'Host: assay.test', 'Content-Type: application/json'];
    socket.write([...head, `Content-Length: ${bodyBytes}`, '', ''].join('\r\n'));
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"payload_too_large"/);
    return { socket, received: () => received };
  }

  it('is read to its end after the refusal, so that no client loses the answer while it sends', async () => {
    const { socket, received } = await beginRefused();
    socket.write('x'.repeat(bodyBytes));
    socket.write('GET /nothing HTTP/1.1\r\nHost: assay.test\r\n\r\n');

    await expect.poll(received).toContain('HTTP/1.1 404 ');
    expect(received()).not.toMatch(/connection: close/i);
    socket.destroy();
  });

  it('ends the connection if it trickles in after the refusal', async () => {
    const { socket } = await beginRefused();
    const isClosed = once(socket, 'close');
    clock.advance({ seconds: 30 });

    await isClosed;
  });
});

describe('bodies that nobody reads', () => {
  const clock = movableClock();
  let server: TestHttpServer;
  const accepted: Socket[] = [];
  beforeAll(async () => {
    server = await testHttpServer(() => undefined, { schedule: clock.schedule, unreadBytesMax: 1_000_000 });
    server.app.server.on('connection', (socket) => accepted.push(socket));
    await server.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.app.close());

  /** Sends a body without end until the connection ends, and answers how much of it was read. */
  async function send(path: string, method: 'GET' | 'POST') {
    const { port } = server.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', () => undefined);
    // `once` of node:events would fail at the error before.
    const isClosed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n`);
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 4/);
    const piece = Buffer.alloc(1_000_000);
    const sendNext = () => {
      clock.advance({ ms: 10 });
      if (socket.writable) socket.write(piece, sendNext);
    };
    sendNext();
    await isClosed;
    return accepted.at(-1)?.bytesRead ?? 0;
  }

  it.each([
    ['of a refused call', 'POST', '/nothing'],
    ['of a call that takes none', 'GET', '/nothing'],
    ['of an address that is none', 'POST', '/%zz'],
  ] as const)('%s end the connection when their network has sent too much', async (_, method, path) => {
    clock.advance({ minutes: 1 });
    expect(await send(path, method)).toBeGreaterThan(1_000_000);
    // The next one in this minute ends with its answer.
    expect(await send(path, method)).toBeLessThan(1_000_000);
  });

  it('are read a few at a time, each in its turn', async () => {
    clock.advance({ minutes: 1 });
    const before = accepted.length;
    const { port } = server.app.server.address() as AddressInfo;
    const clients = Array.from({ length: 12 }, () => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      onTestFinished(() => void socket.destroy());
      const client = { socket, text: '' };
      socket.on('data', (part) => {
        client.text += part;
      });
      socket.write('POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n');
      return client;
    });
    await expect.poll(() => clients.filter(({ text }) => text.includes('404')).length).toBe(12);
    const countRead = () => accepted.slice(before).filter((socket) => !socket.isPaused()).length;

    await expect.poll(countRead).toBeLessThanOrEqual(4);
    for (const { socket } of clients)
      socket.write(`${'x'.repeat(50_000)}GET /version HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect
      .poll(() => {
        clock.advance({ ms: 10 });
        return clients.filter(({ text }) => text.split('HTTP/1.1 404').length === 3).length;
      })
      .toBe(12);
  });
});

describe('a process that cannot keep up', () => {
  it('503 with a time to come back, while its health is still told', async () => {
    const server = await testHttpServer(
      (app) => {
        registerRoute(app, removeList, async () => null);
        addHealth(app, async () => null);
      },
      { pressure: { loopDelayMsMax: -1, sampleEveryMs: 10 } },
    );
    const call = () => server.app.inject({ method: 'DELETE', url: '/lists/1' });
    await expect.poll(async () => (await call()).statusCode).toBe(503);

    const refused = await call();
    expect(refused.json().errors[0].code).toBe('service_unavailable');
    expect(refused.headers['retry-after']).toBe('5');
    expect((await server.app.inject('/health/live')).statusCode).toBe(200);
    await server.app.close();
  });

  it('503 while too many statements wait for the database, and serves again when they are done', async () => {
    let isOverlong = true;
    const server = await testHttpServer(
      (app) => {
        registerRoute(app, removeList, async () => null);
        addHealth(app, async () => null);
      },
      { waitingLine: { isOverlong: () => isOverlong, countWhile: (wait) => wait } },
    );
    const call = () => server.app.inject({ method: 'DELETE', url: '/lists/1' });

    const refused = await call();
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await server.app.inject('/health/live')).statusCode).toBe(200);

    isOverlong = false;
    expect((await call()).statusCode).toBe(204);
    await server.app.close();
  });
});

describe('a route', () => {
  it('that does not say who may call it keeps the server from starting', async () => {
    const start = testHttpServer((app) => {
      app.get('/open', async () => 'anything');
    });

    await expect(start).rejects.toThrow('GET /open');
  });
});

describe('headers for browsers', () => {
  const headersAt = async (publicUrl: string) => {
    const server = await testHttpServer(() => undefined, { publicUrl });
    const { headers } = await server.app.inject('/');
    await server.app.close();
    return headers;
  };

  it('let pages run our own code only, and talk to us and the issuer only', async () => {
    const policy = String((await headersAt('https://assay.test'))['content-security-policy']).split(';');

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self' wss://assay.test https://id.test");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
  });

  it('pin https only where the product is served over it', async () => {
    expect((await headersAt('https://assay.test'))['strict-transport-security']).toMatch(/^max-age=63072000/);
    const plain = await headersAt('http://localhost:3000');
    expect(plain['strict-transport-security']).toBeUndefined();
    expect(plain['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });

  it('allow no other origin to read answers', async () => {
    const server = await testHttpServer((app) => registerRoute(app, removeList, async () => null));
    const preflight = await server.app.inject({
      method: 'OPTIONS',
      url: '/lists/1',
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'DELETE' },
    });

    expect(preflight.statusCode).toBe(405);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    await server.app.close();
  });
});

describe('limits', () => {
  const clock = movableClock('2026-03-01T12:00:01Z');
  /** The counts of one process alone. */
  const ownStore = (): AllowanceStore => {
    const leased = new Map<string, number>();
    return {
      lease: async ({ policy, key, count }) => {
        const sum = (leased.get(policy + key) ?? 0) + count;
        leased.set(policy + key, sum);
        return sum;
      },
    };
  };
  const limited = (trustedProxies: string[] = []) =>
    testHttpServer(
      async (app) => {
        limitRequests(app, { store: ownStore(), clock }, { requestsPerAddress: 5, requestsPerCustomer: 2 });
        app.addHook('onRequest', async (request) => {
          const accountId = request.headers['x-test-account'];
          if (typeof accountId === 'string') request.caller = { accountId, role: 'owner' };
        });
        registerRoute(app, removeList, async () => null);
      },
      { trustedProxies },
    );
  const callsFrom = async (server: TestHttpServer, count: number, headers: Record<string, string> = {}) => {
    const answers = [];
    for (let i = 0; i < count; i += 1) {
      answers.push(await server.app.inject({ method: 'DELETE', url: path, headers }));
    }
    return answers;
  };
  const path = '/lists/1';
  const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode);

  it('count a network address, and say so before they refuse', async () => {
    const server = await limited();
    const answers = await callsFrom(server, 6);

    expect(statuses(answers)).toEqual([204, 204, 204, 204, 204, 429]);
    expect(answers[0]?.headers).toMatchObject({
      'ratelimit-policy': '"address";q=5;w=60',
      ratelimit: expect.stringMatching(/^"address";r=4;t=59$/),
    });
    const [, seconds] = /^"address";r=0;t=(\d+)$/.exec(String(answers[5]?.headers.ratelimit)) ?? [];
    expect(answers[5]?.headers['retry-after']).toBe(seconds);
    expect(answers[5]?.json().errors[0].code).toBe('too_many_requests');
    await server.app.close();
  });

  it('count each customer apart, behind the same address', async () => {
    const server = await limited();

    const ofAda = await callsFrom(server, 3, { 'x-test-account': 'ada' });
    const [ofBob] = await callsFrom(server, 1, { 'x-test-account': 'bob' });

    expect(statuses(ofAda)).toEqual([204, 204, 429]);
    expect(ofAda.map(({ headers }) => String(headers.ratelimit).split(';t=')[0])).toEqual([
      '"customer";r=1',
      '"customer";r=0',
      '"customer";r=0',
    ]);
    expect(ofAda[2]?.headers['ratelimit-policy']).toBe('"customer";q=2;w=60');
    expect([ofBob?.statusCode, String(ofBob?.headers.ratelimit).split(';t=')[0]]).toEqual([
      204,
      '"customer";r=1',
    ]);
    await server.app.close();
  });

  it('believe a forwarded address only from a trusted proxy', async () => {
    const distrusting = await limited();
    const trusting = await limited(['127.0.0.1']);
    const spread = async (server: TestHttpServer) => {
      const answers = [];
      for (let i = 0; i < 6; i += 1)
        answers.push(...(await callsFrom(server, 1, { 'x-forwarded-for': `203.0.113.${i}` })));
      return statuses(answers).at(-1);
    };

    expect(await spread(distrusting)).toBe(429);
    expect(await spread(trusting)).toBe(204);
    await distrusting.app.close();
    await trusting.app.close();
  });
});
