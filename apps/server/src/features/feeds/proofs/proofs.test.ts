import { describe, expect, it } from 'vitest';
import { readFeedBody } from '../read-feed-body.ts';
import {
  mailgunKey,
  mandrillKey,
  resendKey,
  type SignedCall,
  sendGridKey,
  signMailgun,
  signMandrill,
  signResend,
  signSendGrid,
} from '../testing/signed-calls.ts';
import type { FeedCall } from './proof.ts';
import { hasSecret } from './shared-secret.ts';

const now = new Date('2026-11-18T12:00:00Z');
const url = 'https://assay.test/api/outcomes/feeds/0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90';
const at = now.getTime() / 1_000;
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const callOf = (signed: SignedCall, secret: string, at = now): FeedCall => ({
  ...signed,
  url,
  secrets: [secret],
  nowMs: at.getTime(),
});

const bounce = {
  event: 'bounce',
  email: 'jane@example.com',
  timestamp: at,
  sg_event_id: 'a',
  reason: '550 5.1.1 User unknown',
};
const failed = {
  event: 'failed',
  severity: 'permanent',
  reason: 'bounce',
  recipient: 'jane@example.com',
  timestamp: at + 0.5,
  id: 'x',
};

describe('SendGrid', () => {
  // The values of the test of @sendgrid/eventwebhook 8.0.0.
  const publishedKey =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==';
  const published = {
    body: Buffer.from(
      `${JSON.stringify([
        {
          email: 'hello@world.com',
          event: 'dropped',
          reason: 'Bounced Address',
          sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
          sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
          'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
          timestamp: 1_600_112_492,
        },
      ])}\r\n`,
    ),
    headers: {
      'x-twilio-email-event-webhook-timestamp': '1600112502',
      'x-twilio-email-event-webhook-signature':
        'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
    },
  };
  const then = new Date(1_600_112_502_000);

  it('accepts the published events, with key, signature and the bytes of the body', () => {
    const reading = readFeedBody('sendgrid', callOf(published, publishedKey, then));

    expect(reading).toMatchObject({
      events: [{ recipient: 'hello@world.com', class: 'not_sent', at: 1_600_112_492_000 }],
    });
  });

  it('refuses the same JSON without its last line end, and events of another key', () => {
    const trimmed = { ...published, body: published.body.subarray(0, -2) };

    expect(readFeedBody('sendgrid', callOf(trimmed, publishedKey, then))).toEqual({ refusal: 'not_genuine' });
    expect(readFeedBody('sendgrid', callOf(published, sendGridKey, then))).toEqual({
      refusal: 'not_genuine',
    });
  });

  it('takes repeats for a day, and refuses older signatures and those of the future', () => {
    const read = (signedAt: Date) =>
      readFeedBody('sendgrid', callOf(signSendGrid([bounce], signedAt), sendGridKey)).refusal;

    expect(read(later(-24 * 3_600))).toBeUndefined();
    expect(read(later(-26 * 3_600))).toBe('too_old');
    expect(read(later(600))).toBe('too_old');
  });

  it('gives each event its recipient, time and id', () => {
    expect(readFeedBody('sendgrid', callOf(signSendGrid([bounce], now), sendGridKey))).toMatchObject({
      events: [{ recipient: 'jane@example.com', reason: 'no_such_mailbox', at: now.getTime(), id: 'a' }],
    });
  });
});

describe('Mailgun', () => {
  it('accepts a signature of time and token once; it is to be kept as long as it is good', () => {
    const reading = readFeedBody('mailgun', callOf(signMailgun(failed, now), mailgunKey));

    expect(reading).toMatchObject({
      events: [{ recipient: 'jane@example.com', class: 'hard', at: now.getTime() + 500 }],
      singleUse: { token: 'a'.repeat(50) },
    });
    expect(reading.refusal === undefined && reading.singleUse?.keptUntilMs).toBeGreaterThan(
      later(9 * 3_600).getTime(),
    );
  });

  it('refuses another key, a signature in capital letters, and one that is older than all repeats', () => {
    const signed = signMailgun(failed, now);
    const capitals = Buffer.from(
      signed.body
        .toString()
        .replace(/"signature":"([0-9a-f]+)"/, (_, hex) => `"signature":"${hex.toUpperCase()}"`),
    );

    expect(readFeedBody('mailgun', callOf(signed, 'another')).refusal).toBe('not_genuine');
    expect(readFeedBody('mailgun', callOf({ body: capitals, headers: {} }, mailgunKey)).refusal).toBe(
      'not_genuine',
    );
    const old = signMailgun(failed, later(-10 * 3_600));
    expect(readFeedBody('mailgun', callOf(old, mailgunKey)).refusal).toBe('too_old');
  });

  it.each([
    'null',
    '7',
    '[]',
    '{"signature":7}',
    '{"signature":{"timestamp":{},"token":[],"signature":null}}',
    '',
  ])('refuses %s', (body) => {
    const call = callOf({ body: Buffer.from(body), headers: {} }, mailgunKey);
    expect(readFeedBody('mailgun', call)).toEqual({ refusal: 'not_genuine' });
  });
});

describe('Resend', () => {
  const event = {
    type: 'email.bounced',
    created_at: '2026-11-18T11:59:00Z',
    data: { email_id: 'e', to: ['jane@example.com'], bounce: { type: 'Permanent' } },
  };

  it('accepts a good signature among several, within five minutes', () => {
    const { body, headers } = signResend(event, now);
    const several = { ...headers, 'svix-signature': `v1,AAAA v2,x ${headers['svix-signature']}` };

    expect(readFeedBody('resend', callOf({ body, headers: several }, resendKey))).toMatchObject({
      events: [{ recipient: 'jane@example.com', class: 'hard', at: Date.parse('2026-11-18T11:59:00Z') }],
    });
    expect(readFeedBody('resend', callOf({ body, headers }, resendKey, later(299))).refusal).toBeUndefined();
    expect(readFeedBody('resend', callOf({ body, headers }, resendKey, later(302))).refusal).toBe('too_old');
    expect(readFeedBody('resend', callOf({ body, headers }, resendKey, later(-302))).refusal).toBe('too_old');
  });

  it('knows who unsubscribed', () => {
    const left = {
      type: 'contact.updated',
      created_at: '2026-11-18T11:59:00Z',
      data: { id: 'c', email: 'jane@example.com', unsubscribed: true },
    };
    const call = callOf(signResend(left, now), resendKey);

    expect(readFeedBody('resend', call)).toMatchObject({ events: [{ reason: 'unsubscribed' }] });
  });
});

describe('Mandrill', () => {
  const events = JSON.stringify([
    { event: 'hard_bounce', _id: 'm', ts: at, msg: { email: 'jane@example.com' } },
  ]);

  it('accepts a form that is signed for the address of the feed', () => {
    expect(readFeedBody('mandrill', callOf(signMandrill(events, url), mandrillKey))).toMatchObject({
      events: [
        { recipient: 'jane@example.com', class: 'hard', at: now.getTime(), id: `m hard_bounce ${at}` },
      ],
    });
  });

  it('accepts the empty list that tries an address, with a key that nobody knows yet', () => {
    const probe = signMandrill('[]', url, 'a key of Mandrill');

    expect(readFeedBody('mandrill', callOf(probe, mandrillKey))).toEqual({ events: [] });
    expect(readFeedBody('mandrill', { ...callOf(probe, ''), secrets: [] })).toEqual({ events: [] });
  });

  it('refuses another address, another key, and a form with a second field', () => {
    const refusalOf = (signed: SignedCall) => readFeedBody('mandrill', callOf(signed, mandrillKey)).refusal;
    const signed = signMandrill(events, url);

    expect(refusalOf(signMandrill(events, `${url}/`))).toBe('not_genuine');
    expect(refusalOf(signMandrill(events, url, 'another'))).toBe('not_genuine');
    expect(refusalOf({ ...signed, body: Buffer.from(`${signed.body}&a=b`) })).toBe('not_readable');
  });
});

describe('a secret of ours', () => {
  const secrets = ['assay_feed_1', 'assay_feed_0'];
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  it.each<[string, Record<string, string>]>([
    ['the password of basic authentication', basic('assay:assay_feed_1')],
    ['the previous one', basic('assay:assay_feed_0')],
    ['a bearer token', { authorization: 'Bearer assay_feed_1' }],
    ['a header of ours', { 'x-assay-feed-secret': 'assay_feed_1' }],
  ])('is taken as %s', (_, headers) => {
    expect(hasSecret({ headers, secrets })).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['an empty password', basic('assay:')],
    ['another user', basic('admin:assay_feed_1')],
    ['more than the secret', basic('assay:assay_feed_1:x')],
    ['an empty header', { 'x-assay-feed-secret': '' }],
    [
      'an authorization beside the header that is wrong',
      { authorization: 'Bearer x', 'x-assay-feed-secret': 'assay_feed_1' },
    ],
  ])('is not %s', (_, headers) => {
    expect(hasSecret({ headers, secrets })).toBe(false);
  });

  it('is not there without a secret', () => {
    expect(hasSecret({ headers: basic('assay:'), secrets: [] })).toBe(false);
  });
});

it('takes pings of SparkPost for no events, and unknown JSON for none that it can read', () => {
  const read = (body: string) =>
    readFeedBody('sparkpost', callOf({ body: Buffer.from(body), headers: {} }, 'x'));

  expect(read('[{"msys":{}}]')).toEqual({ events: [] });
  expect(read('[]')).toEqual({ events: [] });
  expect(read('{"hello":"world"}')).toEqual({ refusal: 'not_readable' });
  expect(read('{')).toEqual({ refusal: 'not_readable' });
});

it('refuses more events than one call may bring, and loses none of fewer', () => {
  const read = (count: number) => {
    const events = Array.from({ length: count }, (_, at) => ({
      event: 'delivered',
      email: `a${at}@example.com`,
      ts_epoch: 1,
    }));
    return readFeedBody('brevo', callOf({ body: Buffer.from(JSON.stringify(events)), headers: {} }, 'x'));
  };
  const all = read(10_000);

  expect(all.refusal === undefined && all.events).toHaveLength(10_000);
  expect(read(10_001)).toEqual({ refusal: 'not_readable' });
});
