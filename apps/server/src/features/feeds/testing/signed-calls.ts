import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { FeedCall } from '../proofs/proof.ts';

export type SignedCall = Pick<FeedCall, 'body' | 'headers'>;

/** Events of senders, signed as they sign them. */
const sendGridKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const sendGridKey = sendGridKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
export const mailgunKey = 'key-0123456789abcdef0123456789abcdef';
export const resendKey = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
export const mandrillKey = 'mandrill-key-0123456789';

const secondsOf = (now: Date): string => String(Math.floor(now.getTime() / 1_000));

export function signSendGrid(events: unknown, now: Date): SignedCall {
  const body = Buffer.from(`${JSON.stringify(events)}\r\n`);
  const time = secondsOf(now);
  const signed = Buffer.concat([Buffer.from(time), body]);
  return {
    body,
    headers: {
      'x-twilio-email-event-webhook-timestamp': time,
      'x-twilio-email-event-webhook-signature': sign('sha256', signed, sendGridKeys.privateKey).toString(
        'base64',
      ),
    },
  };
}

export function signMailgun(event: unknown, now: Date, token = 'a'.repeat(50)): SignedCall {
  const timestamp = secondsOf(now);
  const signature = createHmac('sha256', mailgunKey)
    .update(timestamp + token)
    .digest('hex');
  const whole = { signature: { timestamp, token, signature }, 'event-data': event };
  return { body: Buffer.from(JSON.stringify(whole)), headers: {} };
}

export function signResend(event: unknown, now: Date, id = 'msg_1'): SignedCall {
  const body = Buffer.from(JSON.stringify(event));
  const time = secondsOf(now);
  const signature = createHmac('sha256', Buffer.alloc(24, 7))
    .update(`${id}.${time}.`)
    .update(body)
    .digest('base64');
  return {
    body,
    headers: { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': `v1,${signature}` },
  };
}

export function signMandrill(events: string, url: string, key = mandrillKey): SignedCall {
  const signature = createHmac('sha1', key).update(`${url}mandrill_events${events}`).digest('base64');
  return {
    body: Buffer.from(new URLSearchParams({ mandrill_events: events }).toString()),
    headers: { 'x-mandrill-signature': signature },
  };
}
