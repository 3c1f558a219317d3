import { randomUUID } from 'node:crypto';
import { API_BASE } from '@assay/contract';
import { Visitor } from '../../../../packages/pages/src/testing/visitor.ts';
import { Customer, read } from '../../customer.ts';
import { sendHttp } from '../../send.ts';
import type { Action } from '../action.ts';

interface Reading extends Pick<Action, 'name' | 'what' | 'otherRoutes'> {
  readonly pathOf: (turn: number) => string;
}

/** Twenty people without an account read these addresses in turn. */
function reading({ pathOf, ...action }: Reading): Action {
  return {
    ...action,
    operations: [],
    connections: 20,
    prepare: async (scene) => {
      const { target } = scene.fromElsewhere();
      let turns = 0;
      return {
        turn: async () => {
          turns += 1;
          return (
            (await sendHttp(target, { method: 'GET', path: pathOf(turns), headers: {} }))?.status ?? null
          );
        },
      };
    },
  };
}

const inTurn = (paths: readonly string[]) => (turn: number) => paths[turn % paths.length] as string;

const signUps: Action = {
  name: 'sign-ups',
  what: 'first calls of new accounts',
  operations: ['users.getMe'],
  connections: 8,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    return {
      turn: async () => {
        const sub = randomUUID();
        const token = await product.issuer.tokenFor({
          sub,
          email: `${sub}@example.com`,
          email_verified: true,
        });
        const headers = { authorization: `Bearer ${token}` };
        const answer = await sendHttp(product.target, {
          method: 'GET',
          path: `${API_BASE}/users/me`,
          headers,
        });
        return answer?.status ?? null;
      },
    };
  },
};

const wrongPasswords: Action = {
  name: 'wrong-passwords',
  what: 'sign-ins with wrong passwords at the identity provider',
  operations: [],
  connections: 20,
  prepare: async ({ identityUrl }) => ({
    turn: async () => {
      const visitor = new Visitor(identityUrl);
      const query = new URLSearchParams({
        client_id: 'assay-web',
        response_type: 'code',
        redirect_uri: 'http://app.test/redirect',
        scope: 'openid',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      });
      const form = await visitor.open(`/auth?${query}`);
      const email = `${randomUUID()}@example.com`;
      return (await visitor.submit(form, { email, password: 'a wrong password' })).status;
    },
  }),
};

const coupons: Action = {
  name: 'coupons',
  what: 'guesses of coupon codes',
  operations: ['billing.redeemCoupon'],
  connections: 8,
  prepare: async (scene) => {
    const customer = await Customer.signUp(scene.fromElsewhere());
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        return (await customer.send('POST', `/billing/coupons/GUESS-${turns}/redemption`))?.status ?? null;
      },
    };
  },
};

/** Addresses whose signature is the permission. */
const signedPaths = [
  '/api/notices/unsubscribe',
  '/api/validations/exports',
  '/api/validations/email_validation/exports',
  '/api/validations/shared',
  '/api/validations/exclusions',
  '/api/users/data',
  '/api/users/activity/exports',
  '/api/guessing/exports',
  '/api/guessing/exclusions',
  '/api/billing/exports',
  '/api/suppressions/exports',
];
const stripePath = `${API_BASE}/billing/webhooks/stripe`;

/** Long events of the payment provider and links of mails, with signatures that are wrong. */
const forgedSignatures: Action = {
  name: 'forged-signatures',
  what: 'payment events and links with wrong signatures',
  operations: [],
  otherRoutes: [
    `POST ${stripePath}`,
    'POST /api/notices/unsubscribe',
    ...signedPaths.map((path) => `GET ${path}`),
  ],
  connections: 20,
  prepare: async (scene) => {
    const { target } = scene.fromElsewhere();
    const event = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', data: 'x'.repeat(200_000) }));
    const stamp = () => `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`;
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const isEvent = turns % 2 === 0;
        const answer = isEvent
          ? await sendHttp(target, {
              method: 'POST',
              path: stripePath,
              headers: { 'content-type': 'application/json', 'stripe-signature': stamp() },
              body: event,
            })
          : await sendHttp(target, {
              method: turns % 7 === 0 ? 'POST' : 'GET',
              path: `${signedPaths[turns % signedPaths.length]}?token=${'a'.repeat(300)}`,
              headers: {},
            });
        return answer?.status ?? null;
      },
    };
  },
};

const forgedEvents: Action = {
  name: 'forged-events',
  what: 'events with a wrong secret, at a feed and at none',
  operations: [],
  otherRoutes: ['GET /api/outcomes/feeds/:feed_id', 'POST /api/outcomes/feeds/:feed_id'],
  connections: 20,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const { target } = product;
    const customer = await Customer.signUp(product);
    const made = await customer.send('POST', '/outcomes/feeds', { sender: 'mailgun', key: 'a signing key' });
    const feed = read(made) as { id: string };
    const event = Buffer.from(JSON.stringify({ signature: {}, 'event-data': 'x'.repeat(200_000) }));
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const answer = await sendHttp(target, {
          path: `${API_BASE}/outcomes/feeds/${turns % 2 === 0 ? feed.id : randomUUID()}`,
          ...(turns % 5 === 0
            ? { method: 'GET', headers: {} }
            : { method: 'POST', headers: { 'content-type': 'application/json' }, body: event }),
        });
        return answer?.status ?? null;
      },
    };
  },
};

const assistantBodyBytes = 64_000;
/** A request of the protocol, filled up with something that takes long to read. */
const assistantRequest = (method: string, filler: string): Buffer => {
  const params = { name: 'get_balance', arguments: { filler: 0 } };
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const repeated = filler.repeat(Math.floor((assistantBodyBytes - request.length) / filler.length));
  return Buffer.from(request.replace(/"filler":0/, `"filler":[${repeated}0]`));
};

const assistants: Action = {
  name: 'assistants',
  what: 'requests of 64 kB at /mcp: keys that do not exist, and a customer who lists, calls and sends what is no request',
  operations: ['billing.getWallet'],
  otherRoutes: ['GET /mcp', 'POST /mcp', 'DELETE /mcp'],
  connections: 20,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const own = customer.headersOf('key');
    const unknown = { 'x-api-key': `${own['x-api-key']?.slice(0, -4)}0000` };
    const requests = [
      { method: 'POST', headers: unknown, body: assistantRequest('tools/list', '{},') },
      { method: 'POST', headers: own, body: assistantRequest('tools/list', '{},') },
      { method: 'POST', headers: own, body: assistantRequest('tools/call', '"\\u0000",') },
      { method: 'POST', headers: own, body: assistantRequest('tools/call', '[[[[[[]]]]]],') },
      { method: 'POST', headers: own, body: Buffer.from('['.repeat(assistantBodyBytes)) },
      { method: 'GET', headers: own },
      { method: 'DELETE', headers: own },
    ];
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const { headers, ...request } = requests[turns % requests.length] as (typeof requests)[number];
        const answer = await sendHttp(product.target, {
          ...request,
          path: '/mcp',
          headers: {
            ...headers,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        });
        return answer?.status ?? null;
      },
    };
  },
};

const searches = ['email', 'webhook signature', 'a', 'credits list export retry', 'zzzz', 'e'.repeat(200)];

const pagePaths = [
  '/config.json',
  '/version.json',
  '/health/live',
  '/health/ready',
  '/robots.txt',
  '/sitemap.xml',
  '/postmaster',
];

export const strangerActions: readonly Action[] = [
  reading({
    name: 'openapi',
    what: '20 readers of openapi.json',
    otherRoutes: ['GET /docs/openapi.json'],
    pathOf: () => '/docs/openapi.json',
  }),
  reading({
    name: 'docs',
    what: '20 readers of the guide and the reference',
    otherRoutes: ['GET /llms.txt'],
    pathOf: inTurn(['/docs', '/docs/reference', '/llms.txt']),
  }),
  reading({
    name: 'docs-search',
    what: '20 searches of the documentation, and pages that it does not have',
    otherRoutes: ['GET /docs/search', 'GET /docs/*'],
    pathOf: (turn) =>
      `/docs/search?q=${encodeURIComponent(`${searches[turn % searches.length]} ${turn % 50}`)}`,
  }),
  reading({
    name: 'pages',
    what: 'the web app, health, status and addresses that do not exist',
    otherRoutes: ['GET /*', ...pagePaths.map((path) => `GET ${path}`)],
    pathOf: inTurn([...pagePaths, '/', '/api/status', '/no/such/page', '/api/nowhere']),
  }),
  reading({
    name: 'owner-counts',
    what: '20 readers of how often domains are asked about, which are looked up',
    otherRoutes: ['GET /postmaster/counts'],
    pathOf: (turn) => `/postmaster/counts?domain=nobody-${turn % 50}.test`,
  }),
  signUps,
  wrongPasswords,
  coupons,
  forgedSignatures,
  forgedEvents,
  assistants,
];
