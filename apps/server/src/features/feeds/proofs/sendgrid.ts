import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type FeedCall, type Proof, refused } from './proof.ts';
import { strictBase64 } from './same-text.ts';

/** SendGrid repeats events for a day. */
const goodForMs = 25 * 3_600_000;
const aheadMs = 300_000;

/** The console shows the key as DER in base64, without the lines of PEM; undefined if it is no key of the right curve. */
export function readSendGridKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** ECDSA over the time, as text, and the bytes of the body. */
export function proveSendGrid({ body, headers, secrets, nowMs }: FeedCall): Proof {
  const time = headers['x-twilio-email-event-webhook-timestamp'] ?? '';
  const signature = strictBase64(headers['x-twilio-email-event-webhook-signature'] ?? '');
  if (!signature || !/^\d{1,12}$/.test(time)) return refused('not_genuine');
  const signed = Buffer.concat([Buffer.from(time), body]);
  const isGenuine = secrets.some((secret) => {
    const key = readSendGridKey(secret);
    return key !== undefined && verify('sha256', signed, key, signature);
  });
  if (!isGenuine) return refused('not_genuine');
  const ageMs = nowMs - Number(time) * 1_000;
  return ageMs > goodForMs || ageMs < -aheadMs ? refused('too_old') : {};
}
