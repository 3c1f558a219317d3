import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '@assay/contract';
import { type FeedCall, type Proof, refused } from './proof.ts';
import { isSameText, strictBase64 } from './same-text.ts';

/** Of the Standard Webhooks specification. Each repeat has a time of its own. */
const goodForMs = 300_000;
const signaturesMax = 10;

export const readResendKey = (text: string): Buffer | undefined =>
  text.startsWith(WEBHOOK_SECRET_PREFIX) ? strictBase64(text.slice(WEBHOOK_SECRET_PREFIX.length)) : undefined;

/** HMAC over id, time and body. */
export function proveResend({ body, headers, secrets, nowMs }: FeedCall): Proof {
  const { 'svix-id': id = '', 'svix-timestamp': time = '', 'svix-signature': list = '' } = headers;
  if (!/^[\w.-]{1,200}$/.test(id) || !/^\d{1,12}$/.test(time)) return refused('not_genuine');
  const given = list
    .split(' ', signaturesMax)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => signature.slice(3));
  const isGenuine = secrets.some((secret) => {
    const key = readResendKey(secret);
    if (!key) return false;
    const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
    return given.some((signature) => isSameText(signature, expected));
  });
  if (!isGenuine) return refused('not_genuine');
  return Math.abs(nowMs - Number(time) * 1_000) > goodForMs ? refused('too_old') : {};
}
