import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { describeError } from '../../../../platform/logging/describe-error.ts';
import { connectStripe, reach } from './stripe.connection.ts';

const { errors } = Stripe;
const raw = {
  message: 'Invalid name: Ada Lovelace, ada@example.com, card 4242',
  type: 'invalid_request_error',
  param: 'email',
  requestId: 'req_1',
} as const;

describe('reach', () => {
  it.each([
    [
      'an invalid request',
      new errors.StripeInvalidRequestError({ ...raw, code: 'email_invalid' }),
      'email_invalid',
    ],
    ['a declined card', new errors.StripeCardError(raw), 'StripeCardError'],
    ['another use of an idempotency key', new errors.StripeIdempotencyError(raw), 'StripeIdempotencyError'],
    ['a broken answer', new errors.StripeAPIError(raw), 'StripeAPIError'],
    ['a lost connection', new errors.StripeConnectionError(raw), 'StripeConnectionError'],
  ])('tells the log of %s without the words of Stripe', async (_, error, told) => {
    const thrown = await reach(() => Promise.reject(error)).catch((caught: unknown) => caught);

    const logged = JSON.stringify(describeError(thrown));
    expect(logged).toContain(told);
    expect(logged).toContain('req_1');
    expect(logged).not.toMatch(/ada|4242/i);
  });
});

describe('connectStripe', () => {
  it('gives up an answer that never ends, also while bytes arrive', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drops = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drops));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stripe = await connectStripe({ secretKey: 'sk_test', apiUrl, answerPatienceMs: 200 });

    await expect(reach(() => stripe.customers.retrieve('cus_1'))).rejects.toMatchObject({
      code: 'payments_unavailable',
    });
    server.closeAllConnections();
    server.close();
  });
});
