import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_BASE, errorAnswerSchema, isOperatorRole, type RouteContract, routes } from '@assay/contract';
import { allRoutes } from '@assay/contract/operator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { actions } from '../../../tests/attack/neighbours/actions.ts';
import { guidePages } from './features/docs/guide-pages.ts';
import { markdownPathOf } from './features/docs/llms.ts';
import { REFERENCE_PATH, referenceSections } from './features/docs/reference/sections.ts';
import { startTestApi, type TestApi } from './testing/api.ts';
import { movableClock } from './testing/clock.ts';

let api: TestApi;
let webRoot: string;

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'assay-web-'));
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Assay</title>');
  await writeFile(join(webRoot, 'assets', 'app-3f9a.js'), `export default '${'x'.repeat(5_000)}';`);
  await writeFile(join(webRoot, 'assets', 'built-1a2b.js'), 'export {};');
  await writeFile(join(webRoot, 'assets', 'built-1a2b.js.br'), 'compressed by the build');
  // The stage in which every call of the contract exists.
  api = await startTestApi({ webRoot, env: { ASSAY_STAGE: 'staging' } });
});
afterAll(async () => {
  await api.close();
  await rm(webRoot, { recursive: true });
});

describe('every route', () => {
  /** Outside the contract, each for a reason. All are public: none gives or takes anything of a customer's. */
  const justified: Record<string, string> = {
    'GET /health/live': 'for the machine that watches the process',
    'GET /health/ready': 'for the load balancer',
    'GET /config.json': 'read by the web app before it knows the API',
    'GET /version.json': 'read by the web app before it knows the API',
    'GET /docs/search': 'the search of the documentation',
    'GET /docs/*': 'the page of the documentation for addresses without one',
    'GET /robots.txt': 'for search engines',
    'GET /sitemap.xml': 'for search engines',
    'GET /postmaster': 'for people who run mail hosts',
    'GET /postmaster/counts': 'for owners of domains, who prove it by a record',
    'GET /llms.txt': 'the documentation, for language models',
    'GET /docs/openapi.json': 'the contract itself',
    'GET /api/realtime': 'a WebSocket, whose token comes in its first message',
    'GET /api/validations/exports': 'a file, whose signed address is its permission',
    'GET /api/validations/email_validation/exports': 'a file, whose signed address is its permission',
    'GET /api/validations/shared': 'a file, whose secret address is its permission',
    'GET /api/validations/exclusions': 'a file, whose signed address is its permission',
    'GET /api/users/data': 'a file, whose signed address is its permission',
    'GET /api/users/activity/exports': 'a file, whose signed address is its permission',
    'GET /api/guessing/exports': 'a file, whose signed address is its permission',
    'GET /api/guessing/exclusions': 'a file, whose signed address is its permission',
    'GET /api/billing/exports': 'a file, whose signed address is its permission',
    'GET /api/suppressions/exports': 'a file, whose signed address is its permission',
    'GET /api/outcomes/feeds/:feed_id': 'what senders ask before they use a feed; it tells nothing about it',
    'POST /api/outcomes/feeds/:feed_id': 'from a sender, who proves what it sends',
    'GET /api/notices/unsubscribe': 'a page in a mail, whose signed address is its permission',
    'POST /api/notices/unsubscribe': 'the button of that page, and of mailboxes (RFC 8058)',
    'POST /api/billing/webhooks/stripe': 'from the payment provider, who signs what it sends',
    'GET /mcp': 'for assistants: only what the key of the caller may call',
    'POST /mcp': 'for assistants: only what the key of the caller may call',
    'DELETE /mcp': 'for assistants: only what the key of the caller may call',
    'GET /*': 'the files of the web app',
  };
  /** The pages and files of the documentation, which are public and hold nothing of anybody's. */
  const docsPaths = [
    ...[...guidePages, { path: REFERENCE_PATH }, ...referenceSections].flatMap(({ path }) => [
      path,
      `${path}/`,
    ]),
    ...guidePages.map(markdownPathOf),
  ];
  const isDocs = (url: string) => url.startsWith('/docs/assets/') || docsPaths.includes(url);
  const contractRoutes = Object.values(allRoutes).flatMap((feature) => Object.values(feature));

  it('says who may call it', () => {
    expect(api.routeList.routes.filter(({ auth }) => auth === undefined)).toEqual([]);
  });

  it('comes from the contract with its schemas, or is on the list with its reason', () => {
    const strangers = api.routeList.routes
      .filter(({ contract, url }) => !contract && !isDocs(url))
      .map(({ method, url }) => `${method.replace('HEAD', 'GET')} ${url}`);

    expect([...new Set(strangers)].sort()).toEqual(Object.keys(justified).sort());
  });

  it('outside the contract is called by an action that measures what a stranger does to others', () => {
    const called = actions.flatMap(({ otherRoutes = [] }) => otherRoutes);
    expect([...new Set(called)].sort()).toEqual(Object.keys(justified).sort());
  });

  it('of the contract is answered, with the rule that the contract declares', () => {
    const answered = api.routeList.routes
      .filter(({ method, contract }) => contract && method !== 'HEAD')
      .map(({ method, url, auth }) => `${method} ${url} ${auth}`);
    const declared = contractRoutes.map(({ method, path, auth }) => `${method} ${API_BASE}${path} ${auth}`);

    expect(answered.sort()).toEqual(declared.sort());
  });

  it('that is not public is refused without a token, in the error model', async () => {
    for (const { method, path, auth } of contractRoutes) {
      if (auth === 'public') continue;
      const answer = await api.call(method, path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000'));

      const refusal = isOperatorRole(auth) ? [404, 'route_not_found'] : [401, 'unauthorized'];
      const { code } = errorAnswerSchema.parse(answer.json()).errors[0] ?? {};
      expect([path, answer.statusCode, code]).toEqual([path, ...refusal]);
    }
  });
});

describe('every route without credentials', () => {
  it('429 for a network address that calls it too often, and 404 pages too; health checks are always answered', async () => {
    const limited = await startTestApi({
      webRoot,
      clock: movableClock(new Date()),
      // At least one of each kind.
      env: { ASSAY_STAGE: 'staging', RATE_LIMIT_PER_ADDRESS: '1' },
    });
    onTestFinished(limited.close);
    const callsMax = 5;
    const open = limited.routeList.routes
      .filter(({ auth, method }) => auth === 'public' && method !== 'HEAD')
      .map(({ method, url }) => ({ method, url: url === '/*' ? '/assets/app-3f9a.js' : url }));
    const all = [
      ...open,
      ...['/nowhere', '/docs/nowhere', '/api/nowhere'].map((url) => ({ method: 'GET', url })),
    ];
    expect(all.length).toBeGreaterThan(40);
    const unlimited: string[] = [];
    for (const [index, { method, url }] of all.entries()) {
      const remoteAddress = `10.1.${index >> 8}.${index & 255}`;
      let status = 0;
      for (let call = 0; call < callsMax; call += 1) {
        const answer = await limited.app.inject({ method: method as 'GET', url, remoteAddress });
        status = answer.statusCode;
      }
      if (status !== 429) unlimited.push(`${method} ${url}`);
    }
    expect(unlimited).toEqual(['GET /health/live', 'GET /health/ready']);
  });
});

describe('text that PostgreSQL cannot keep', () => {
  const halfOfAPair = '\ud83d';
  const file = (name: string) => {
    const form = new FormData();
    form.append('list_raw', new Blob(['email\njane@exists.test\n']), name);
    return form;
  };

  it.each<[string, string, string, unknown?]>([
    ['invoice_id', 'GET', '/billing/me/invoices/%00'],
    ['coupon_id', 'POST', '/billing/coupons/AB%00CDE/redemption'],
    ['accountEmail', 'DELETE', '/warm-up/oauth/credentials?accountEmail=%00a'],
    ['search', 'GET', '/validations/lists/00000000-0000-4000-8000-000000000000/emails?search=a%00b'],
    ['subject', 'POST', '/users/support_cases', { subject: 'a\0', description: 'b' }],
    ['description', 'POST', '/users/support_cases', { subject: 'a', description: halfOfAPair }],
    [
      'emails.1',
      'POST',
      '/validations/lists',
      { emails: ['jane@exists.test', `${halfOfAPair}@exists.test`] },
    ],
    ['email_address', 'POST', '/validations/email_validation', { email_address: 'a\0@exists.test' }],
    ['list_raw', 'POST', '/validations/lists_bulk/validation', file('a\0.csv')],
    ['list_raw', 'POST', '/validations/lists_bulk', file('a\0.csv')],
  ])('400 names %s of %s %s', async (field, method, path, body) => {
    const answer = await api.call(method as 'GET', path, { token: await api.tokenFor(), body });

    expect(answer.json().errors[0]).toMatchObject({
      http_status: 400,
      message: `${field} holds a character that cannot be stored. Take it out and try again.`,
      meta: { field },
    });
  });

  it('does not mean other characters beyond the first plane', async () => {
    const body = { subject: 'Hello \u{1f600}', description: 'Tab\t, line\n and \u{10ffff}' };

    expect(
      (await api.call('POST', '/users/support_cases', { token: await api.tokenFor(), body })).statusCode,
    ).toBe(201);
  });
});

describe('GET /api/users/me', () => {
  it('200 for a verified token, also with the web app’s public key beside it', async () => {
    const token = await api.tokenFor({ sub: 'ada', email: 'ada@example.com' });

    const answer = await api.call('GET', '/users/me', { token, headers: { 'x-api-key': 'assay-web' } });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ email_address: 'ada@example.com', first_name: 'Ada' });
  });
});

describe('guessing API keys', () => {
  it('429 after many unknown keys from one address, whichever process they reach', async () => {
    const secondApi = await startTestApi({ beside: api });
    const guess = (on: TestApi, key: number) =>
      on.call('GET', '/billing/me', {
        headers: { 'x-api-key': `assay_live_${String(key).padStart(48, '0')}` },
      });
    const codes = [];
    for (let i = 0; i < 32; i += 1)
      codes.push((await guess(i % 2 ? api : secondApi, i)).json().errors[0].code);

    expect(codes.filter((code) => code === 'unknown_api_key')).toHaveLength(30);
    expect(codes.slice(30)).toEqual(['too_many_requests', 'too_many_requests']);
    await secondApi.close();
  });
});

describe('the web app', () => {
  it('learns its surroundings from /config.json', async () => {
    const answer = await api.app.inject('/config.json');

    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.json()).toEqual({
      stage: 'staging',
      issuer: api.issuer.url,
      client_id: 'assay-web',
      audience: api.issuer.audience,
      client_key: 'assay-web',
      docs_url: '/docs',
      analytics_url: null,
    });
  });

  it('learns of a new release from /version.json', async () => {
    expect((await api.app.inject('/version.json')).json()).toEqual({ version: '0.0.0', commit: 'test' });
  });

  it.each(['/', '/billing', '/email-verification/bulk/17'])(
    'is served at %s and never kept without asking',
    async (url) => {
      const answer = await api.app.inject({ url, headers: { accept: 'text/html' } });

      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('<title>Assay</title>');
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );

  it.each(['/%E0%A4%A', '/email-verification/bulk/%', '/%00'])(
    'leads from the malformed URL %s to the not-found page',
    async (url) => {
      const answer = await api.app.inject({ url, headers: { accept: 'text/html' } });

      expect([answer.statusCode, answer.headers.location]).toEqual([302, '/not-found']);
    },
  );

  it.each(['/api/users/%E0%A4%A', '/assets/%E0%A4%A'])(
    '400 in the error model for the malformed URL %s',
    async (url) => {
      const answer = await api.app.inject({ url, headers: { accept: 'text/html' } });

      expect(answer.statusCode).toBe(400);
      expect(errorAnswerSchema.parse(answer.json()).errors[0]).toMatchObject({ code: 'bad_request' });
    },
  );

  it('keeps files whose name holds their hash for ever, and compresses them', async () => {
    const answer = await api.app.inject({
      url: '/assets/app-3f9a.js',
      headers: { 'accept-encoding': 'br, gzip' },
    });

    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.rawPayload.length).toBeLessThan(1_000);
  });

  it('sends what the build has compressed as it is, to browsers that can read it', async () => {
    const get = (encoding: string) =>
      api.app.inject({ url: '/assets/built-1a2b.js', headers: { 'accept-encoding': encoding } });
    const compressed = await get('gzip, deflate, br');

    expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(compressed.headers['content-type']).toMatch(/javascript/);
    expect(compressed.body).toBe('compressed by the build');
    expect((await get('identity')).body).toBe('export {};');
  });

  it.each(['/api/nothing-here', '/api', '/assets/gone.js', '/health/gone'])(
    '404 in the error model at %s, never a page',
    async (url) => {
      const answer = await api.app.inject({ url, headers: { accept: 'text/html' } });

      expect(answer.statusCode).toBe(404);
      expect(errorAnswerSchema.parse(answer.json()).errors[0]).toMatchObject({ code: 'route_not_found' });
    },
  );

  it('404 for a file that is not there, and the page of the app for a person', async () => {
    const asked = (accept: string) => api.app.inject({ url: '/favicon.ico', headers: { accept } });

    expect((await asked('*/*')).json().errors[0]).toMatchObject({ code: 'route_not_found' });
    expect((await asked('text/html')).statusCode).toBe(200);
  });

  it('answers HEAD like GET, without a body', async () => {
    const answer = await api.app.inject({ method: 'HEAD', url: '/billing' });

    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });

  it.each(['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fetc/passwd'])(
    'lets nothing out of its folder: %s',
    async (url) => {
      const { body } = await api.app.inject(url);

      expect(body).not.toMatch(/workspaces|root:/);
    },
  );
});

describe('the API reference', () => {
  it('documents the Idempotency-Key of every call that costs credits, and of no other', async () => {
    const document = (await api.app.inject('/docs/openapi.json')).json();
    const operations = Object.entries<Record<string, { parameters?: { in: string; name: string }[] }>>(
      document.paths,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => ({
        call: `${method} ${path}`,
        parameters,
      })),
    );
    const taking = operations.filter(({ parameters }) =>
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'idempotency-key'),
    );

    expect(taking.map(({ call }) => call).sort()).toEqual([
      'post /api/validations/email_validation',
      'post /api/validations/lists',
      'post /api/validations/lists/{list_id}/reverify',
      'post /api/validations/lists_bulk',
    ]);
  });

  it('says nothing of calls that exist only for customers with a flag', async () => {
    const document = (await api.app.inject('/docs/openapi.json')).json();

    expect(Object.keys(document.paths).filter((path) => path.includes('guessing'))).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('"Guessing"');
  });

  it('describes every other call of customers, with its security and its error model', async () => {
    const document = (await api.app.inject('/docs/openapi.json')).json();

    const described = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = Object.values(routes)
      .flatMap((feature): RouteContract[] => Object.values(feature))
      .filter((route) => !route.isBehindFlag)
      .map(({ method, path }) => `${method} ${API_BASE}${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(declared.sort());
    expect(document.paths['/api/billing/me'].get.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
    const callback = document.paths['/api/warm-up/oauth/{provider}/callback'].post;
    expect(Object.keys(callback.requestBody.content)).toEqual(['application/x-www-form-urlencoded']);
    expect(document.paths['/api/users/me'].get.responses['4XX']).toEqual({
      $ref: '#/components/responses/Refused',
    });
    expect(document.components.responses.Refused.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ErrorAnswer',
    });
  });
});
