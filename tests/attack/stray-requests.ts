import { createHmac } from 'node:crypto';
import type { Random } from '../support/random.ts';
import { oddBodies, oddTexts } from './odd-values.ts';
import type { HttpRequest } from './request.ts';
import type { Told } from './samples.ts';

/** Paths outside the contract: signed links, pages, the payment webhook, and paths that do not exist. */
const paths: readonly [string, ...string[]] = [
  '/api/validations/exports',
  '/api/guessing/exports',
  '/api/realtime',
  '/api/outcomes/feeds/0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90',
  '/api/outcomes/feeds/%00',
  '/api',
  '/api/',
  '/api//users/me',
  '/api/users/me/',
  '/api/../config.json',
  '/api/%2e%2e/%2e%2e/etc/passwd',
  '/api/users/%6de',
  '/health/live',
  '/health/ready',
  '/config.json',
  '/version.json',
  '/docs',
  '/docs/openapi.json',
  '/docs/reference',
  '/docs/assets/../../../../etc/passwd',
  '/docs/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%5c..%5cpackage.json',
  '//etc/passwd',
  '/.env',
  '/.git/config',
  '/email-verification/bulk/%00',
  '/%ff',
  '/;a=b',
];
const methods: readonly [string, ...string[]] = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
];
export const stripeWebhookSecret = 'whsec_attack';

/** A request outside the contract. */
export function strayRequest(random: Random, told: Told): HttpRequest {
  const base = { kind: 'http', operation: null, caller: 'bearer', headers: {} } as const;
  const share = random.share();
  if (share < 0.2) return { ...base, ...stripeEvent(random), what: 'a signed event' };
  const [link, ...links] = told.get('download_link') ?? [];
  if (share < 0.4 && link) return { ...base, ...downloadOf(random.oneOf([link, ...links]), random) };
  const search =
    random.share() < 0.5 ? `?${random.oneOf(['order', 'to', 'a'])}=${random.oneOf(oddTexts)}` : '';
  return {
    ...base,
    what: 'a stray path',
    method: random.oneOf(methods),
    path: random.oneOf(paths) + search,
  };
}

/** Signed like the provider's events, so that the server reads the content. */
function stripeEvent(random: Random) {
  const bodies: readonly [string, ...string[]] = [
    ...oddBodies,
    '{"id":"evt_1","type":"invoice.paid","data":{"object":null}}',
    '{"id":"evt_1","type":"customer.subscription.updated","data":{"object":{"customer":{"id":7}}}}',
    '{"id":"evt_\\u0000","type":"customer.deleted","data":{"object":{"id":"cus_\\u0000"}}}',
    '{"id":"evt_2","type":"customer.deleted","data":{"object":{"id":"cus_nobody"}}}',
  ];
  const body = random.oneOf(bodies);
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', stripeWebhookSecret).update(`${time}.${body}`).digest('hex');
  return {
    method: 'POST',
    path: '/api/billing/webhooks/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
    body: Buffer.from(body),
  };
}

/** A link from the product, intact or damaged. */
function downloadOf(link: string, random: Random) {
  const { pathname, search } = new URL(link);
  if (random.share() < 0.5) return { what: 'a download', method: 'GET', path: pathname + search };
  const spoilt = search.slice(0, random.between(1, search.length - 1)) + random.oneOf(oddTexts);
  return { what: 'a spoilt download', method: 'GET', path: pathname + spoilt };
}
