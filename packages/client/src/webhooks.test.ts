import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

const secret = `whsec_${Buffer.from('a secret of twenty-four.').toString('base64')}`;
const body = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: { message: 'Grüße' },
});

function signed({ at = new Date(), by = secret } = {}) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, body),
  };
}

describe('verifyWebhook', () => {
  it('returns the event, from headers in any shape and a body in text or bytes', () => {
    const headers = signed();
    const shapes = [
      headers,
      new Headers(headers),
      { ...headers, 'Content-Type': 'application/json', cookie: undefined },
      // As Node's HTTP/2 server has them.
      { ':method': 'POST', ':path': '/hooks', ...headers },
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
    ];

    for (const shape of shapes) {
      expect(verifyWebhook({ body, headers: shape, secret })).toEqual(JSON.parse(body));
      expect(verifyWebhook({ body: Buffer.from(body), headers: shape, secret })).toEqual(JSON.parse(body));
    }
  });

  it('accepts any of several signatures, as while a secret is being replaced', () => {
    const old = signed({ by: `whsec_${Buffer.from('another, just as long...').toString('base64')}` });
    const headers = {
      ...signed(),
      'webhook-signature': `${old['webhook-signature']} ${signed()['webhook-signature']}`,
    };

    expect(verifyWebhook({ body, headers, secret }).type).toBe('webhook.test');
  });

  it.each([
    ['a changed body', { body: body.replace('webhook.test', 'list.completed') }],
    ['no signature', { headers: {} }],
    ['another secret', { secret: `whsec_${Buffer.from('another, just as long...').toString('base64')}` }],
    ['an old request', { headers: signed({ at: new Date(Date.now() - 6 * 60_000) }) }],
    ['another id', { headers: { ...signed(), 'webhook-id': 'msg_2' } }],
  ])('refuses %s', (_what, change) => {
    expect(() => verifyWebhook({ body, headers: signed(), secret, ...change })).toThrow(
      WebhookVerificationError,
    );
  });
});
