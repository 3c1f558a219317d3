import { defineRoute, routes } from '@assay/contract';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import type { ClientOptions } from './call.ts';
import { createClient, createClientOf } from './client.ts';
import { BadRequestError, isAbort } from './errors.ts';
import { answerJson, startLoopbackApi } from './testing/loopback-api.ts';

const answerSchema = z.object({ ok: z.boolean() });
const success = { status: 200, schema: answerSchema } as const;
const common = { auth: 'user', leastRole: 'any', tag: 'Tests', summary: 'A call', success } as const;

/** Every kind of input that a route can take, independent of the contract. */
const exampleRoutes = {
  lists: {
    rename: defineRoute({
      ...common,
      method: 'PUT',
      path: '/lists/:list_id/names/:name_id',
      body: z.object({ name: z.string() }),
    }),
    page: defineRoute({
      ...common,
      method: 'GET',
      path: '/lists',
      query: z.object({
        page_size: z._default(z.coerce.number(), 10),
        from_date: z.optional(z.iso.datetime({ offset: true })),
      }),
    }),
    upload: defineRoute({
      ...common,
      method: 'POST',
      path: '/lists_bulk',
      multipart: true,
      body: z.object({ list_raw: z.unknown(), with_headers: z.boolean() }),
    }),
    remove: defineRoute({ ...common, method: 'DELETE', path: '/lists/:list_id' }),
    share: defineRoute({
      ...common,
      method: 'POST',
      path: '/lists/share',
      isForm: true,
      body: z.object({ code: z.string() }),
    }),
  },
  status: {
    get: defineRoute({ ...common, auth: 'public', leastRole: undefined, method: 'GET', path: '/status' }),
  },
};

let answer: Parameters<typeof startLoopbackApi>[0];
let api: Awaited<ReturnType<typeof startLoopbackApi>>;
const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClientOf(exampleRoutes, { baseUrl: api.baseUrl, ...options });

beforeEach(async () => {
  answer = (_, response) => answerJson(response, 200, { ok: true });
  api = await startLoopbackApi((request, response) => answer(request, response));
});
afterEach(() => api.stop());

describe('the client and the contract', () => {
  it('has every call of the contract, under the same names', () => {
    const client = createClient({ baseUrl: api.baseUrl });

    const callNames = (tree: object) =>
      Object.entries(tree).flatMap(([feature, calls]) =>
        Object.keys(calls).map((name) => `${feature}.${name}`),
      );
    expect(callNames(client)).toEqual(callNames(routes));
    expect(callNames(client)).toContain('users.getMe');
  });

  it('requires exactly the input that the route takes', () => {
    const { lists, status } = clientWith();
    expectTypeOf(lists.rename).parameter(0).toExtend<{
      params: { list_id: string; name_id: string };
      body: { name: string };
    }>();
    expectTypeOf(lists.page).toBeCallableWith({ query: { from_date: new Date(), page_size: 25 } });
    expectTypeOf(lists.upload).toBeCallableWith({ body: { list_raw: new Blob([]), with_headers: true } });
    expectTypeOf(status.get).toBeCallableWith({ signal: AbortSignal.abort() });
    expectTypeOf(status.get).returns.resolves.toEqualTypeOf<{ ok: boolean }>();
    // @ts-expect-error a path parameter is missing
    expectTypeOf(lists.rename).toBeCallableWith({ params: { list_id: 'l1' }, body: { name: 'n' } });
  });
});

describe('what a call sends', () => {
  it('§7 method, path parameters and a JSON body', async () => {
    await clientWith().lists.rename({ params: { list_id: 'l 1', name_id: 'n' }, body: { name: 'Spring' } });

    expect(api.requests[0]).toMatchObject({
      method: 'PUT',
      url: '/api/lists/l%201/names/n',
      body: '{"name":"Spring"}',
    });
    expect(api.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('§7 a query, with dates as ISO with offset', async () => {
    await clientWith().lists.page({ query: { page_size: 25, from_date: new Date('2026-01-05T00:00:00Z') } });

    const query = new URL(api.requests[0]?.url ?? '', api.baseUrl).searchParams;
    expect(query.get('page_size')).toBe('25');
    expect(query.get('from_date')).toMatch(/[+-]\d\d:\d\d$/);
  });

  it('§7 multipart parts by name, the file with its name', async () => {
    const file = new File(['a@exists.test\n'], 'spring.csv', { type: 'text/csv' });
    await clientWith().lists.upload({ body: { list_raw: file, with_headers: true } });

    const { headers, body } = api.requests[0] ?? { headers: {}, body: '' };
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('name="list_raw"; filename="spring.csv"');
    expect(body).toContain('a@exists.test');
    expect(body).toMatch(/name="with_headers"\r\n\r\ntrue/);
  });

  it('§7 a form-encoded body where the route wants one', async () => {
    await clientWith().lists.share({ body: { code: '4/0 a&b' } });

    expect(api.requests[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(api.requests[0]?.body).toBe('code=4%2F0+a%26b');
  });

  it('§7 a bearer token and the api-key header', async () => {
    await clientWith({ getToken: () => 'token-1', apiKey: 'web-key' }).lists.page();

    expect(api.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'x-api-key': 'web-key',
    });
  });

  it('no bearer token on a public call, nor from a program with its own key', async () => {
    await clientWith({ getToken: () => 'token-1' }).status.get();
    await clientWith({ apiKey: 'customer-key' }).lists.page();

    expect(api.requests.map((request) => request.headers.authorization)).toEqual([undefined, undefined]);
  });

  it('an Idempotency-Key when one is given', async () => {
    await clientWith().lists.upload({ body: new FormData(), idempotencyKey: 'once' });
    await clientWith().lists.page();

    expect(api.requests.map((request) => request.headers['idempotency-key'])).toEqual(['once', undefined]);
  });

  it('an upload with onUploadProgress, also outside of browsers', async () => {
    const told: unknown[] = [];
    const upload = clientWith().lists.upload({
      body: { list_raw: new Blob(['a@exists.test']), with_headers: true },
      onUploadProgress: (progress) => told.push(progress),
    });

    await expect(upload).resolves.toEqual({ ok: true });
    expect(api.requests[0]?.body).toContain('a@exists.test');
    expect(told).toEqual([]);
  });
});

describe('what a call answers', () => {
  it('the JSON of a success', async () => {
    await expect(clientWith().lists.page()).resolves.toEqual({ ok: true });
  });

  it('null for a success without content', async () => {
    answer = (_, response) => response.writeHead(204).end();
    await expect(clientWith().lists.remove({ params: { list_id: 'l1' } })).resolves.toBeNull();
  });

  it('§8 a refusal as the error of its status', async () => {
    answer = (_, response) =>
      answerJson(response, 422, { errors: [{ code: 'name_taken', message: 'Choose another name.' }] });

    await expect(clientWith().lists.page()).rejects.toMatchObject({
      name: 'BadRequestError',
      code: 'name_taken',
      message: 'Choose another name.',
    });
  });

  it.each([
    ['text/plain; charset=utf-8', 'This mailbox is busy.\n', 'This mailbox is busy.'],
    ['text/plain', '{"errors":[{"code":"x","message":"In JSON after all."}]}', 'In JSON after all.'],
    ['text/html', '<h1>Bad gateway</h1>', ''],
  ])('§8 a refusal of type %s: its words, if it has any for people', async (type, body, message) => {
    answer = (_, response) => response.writeHead(502, { 'content-type': type }).end(body);

    await expect(clientWith().status.get()).rejects.toMatchObject({ http_status: 502, message });
  });

  it('§8 an unreachable server as ServiceUnavailableError', async () => {
    await api.stop();

    await expect(clientWith().lists.page()).rejects.toMatchObject({
      name: 'ServiceUnavailableError',
      http_status: undefined,
    });
  });

  it('§8 a success that is no answer as UnknownError', async () => {
    answer = (_, response) => response.writeHead(200).end('<html>');

    await expect(clientWith().lists.page()).rejects.toMatchObject({
      name: 'UnknownError',
      code: 0,
      message: 'The answer could not be read',
    });
  });

  it('an abort as the abort reason, not as a server error', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();

    const rejection = await clientWith()
      .lists.page({ signal: controller.signal })
      .catch((error: unknown) => error);

    expect(isAbort(rejection)).toBe(true);
  });

  it('the error that mapError returns', async () => {
    answer = (_, response) => answerJson(response, 404, {});
    const client = clientWith({
      mapError: (error, route) => new BadRequestError({ message: `${error.name} on ${route.path}` }),
    });

    await expect(client.lists.page()).rejects.toMatchObject({
      name: 'BadRequestError',
      message: 'NotFoundError on /lists',
    });
  });
});

describe('a refused token', () => {
  const acceptOnly = (token: string): typeof answer => {
    return (request, response) =>
      request.headers.authorization === `Bearer ${token}`
        ? answerJson(response, 200, { ok: true })
        : answerJson(response, 401, {});
  };
  const tokensSent = () => api.requests.map((request) => request.headers.authorization);

  it('is renewed once, and the call repeated once with its body', async () => {
    answer = acceptOnly('new');
    const unauthorized: string[] = [];
    const client = clientWith({
      getToken: () => 'old',
      renewToken: async (refused) => {
        expect(refused).toBe('old');
        return 'new';
      },
      onUnauthorized: () => unauthorized.push('told'),
    });

    const call = client.lists.rename({ params: { list_id: 'l', name_id: 'n' }, body: { name: 'Spring' } });

    await expect(call).resolves.toEqual({ ok: true });
    expect(tokensSent()).toEqual(['Bearer old', 'Bearer new']);
    expect(api.requests.map((request) => request.body)).toEqual(['{"name":"Spring"}', '{"name":"Spring"}']);
    expect(unauthorized).toEqual([]);
  });

  it('refused again: UnauthorizedError after two attempts, and onUnauthorized is called', async () => {
    answer = acceptOnly('another');
    const unauthorized: string[] = [];
    const client = clientWith({
      getToken: () => 'old',
      renewToken: async () => 'new',
      onUnauthorized: () => unauthorized.push('told'),
    });

    await expect(client.lists.page()).rejects.toMatchObject({ name: 'UnauthorizedError', http_status: 401 });
    expect(tokensSent()).toEqual(['Bearer old', 'Bearer new']);
    expect(unauthorized).toEqual(['told']);
  });

  it('that cannot be renewed is not tried again, and onUnauthorized is not called', async () => {
    answer = acceptOnly('another');
    const unauthorized: string[] = [];
    const client = clientWith({
      getToken: () => 'old',
      renewToken: async () => undefined,
      onUnauthorized: () => unauthorized.push('told'),
    });

    await expect(client.lists.page()).rejects.toMatchObject({ name: 'UnauthorizedError' });
    expect(tokensSent()).toEqual(['Bearer old']);
    expect(unauthorized).toEqual([]);
  });
});
