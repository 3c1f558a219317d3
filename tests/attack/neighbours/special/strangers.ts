import { randomUUID } from 'node:crypto';
import { API_BASE } from '@assay/contract';
import { Visitor } from '../../../../packages/pages/src/testing/visitor.ts';
import { Customer, read } from '../../customer.ts';
import { sendHttp } from '../../send.ts';
import type { Action } from '../action.ts';

/** Someone without an account reads these addresses in turn. */
function reading(name: string, what: string, connections: number, pathOf: (turn: number) => string): Action {
  return {
    name,
    what,
    operations: [],
    connections,
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

/** Long events of the payment provider and links of mails, with signatures that are wrong. */
const forgedSignatures: Action = {
  name: 'forged-signatures',
  what: 'payment events and links with wrong signatures',
  operations: [],
  connections: 20,
  prepare: async (scene) => {
    const { target } = scene.fromElsewhere();
    const event = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', data: 'x'.repeat(200_000) }));
    const stamp = () => `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`;
    const links = [
      'notices/unsubscribe',
      'validations/exports',
      'validations/shared',
      'users/data',
      'guessing/exports',
      'billing/exports',
    ];
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const isEvent = turns % 2 === 0;
        const answer = isEvent
          ? await sendHttp(target, {
              method: 'POST',
              path: `${API_BASE}/billing/webhooks/stripe`,
              headers: { 'content-type': 'application/json', 'stripe-signature': stamp() },
              body: event,
            })
          : await sendHttp(target, {
              method: 'GET',
              path: `${API_BASE}/${links[turns % links.length]}?token=${'a'.repeat(300)}`,
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
          method: 'POST',
          path: `${API_BASE}/outcomes/feeds/${turns % 2 === 0 ? feed.id : randomUUID()}`,
          headers: { 'content-type': 'application/json' },
          body: event,
        });
        return answer?.status ?? null;
      },
    };
  },
};

const searches = ['email', 'webhook signature', 'a', 'credits list export retry', 'zzzz', 'e'.repeat(200)];

export const strangerActions: readonly Action[] = [
  reading('openapi', '20 readers of openapi.json', 20, () => '/docs/openapi.json'),
  reading(
    'docs',
    '20 readers of the guide and the reference',
    20,
    inTurn(['/docs', '/docs/reference', '/llms.txt']),
  ),
  reading(
    'docs-search',
    '20 searches of the documentation',
    20,
    (turn) => `/docs/search?q=${encodeURIComponent(`${searches[turn % searches.length]} ${turn % 50}`)}`,
  ),
  reading(
    'pages',
    'the web app, health, status and addresses that do not exist',
    20,
    inTurn([
      '/',
      '/config.json',
      '/version.json',
      '/health/ready',
      '/api/status',
      '/no/such/page',
      '/api/nowhere',
    ]),
  ),
  signUps,
  wrongPasswords,
  coupons,
  forgedSignatures,
  forgedEvents,
];
