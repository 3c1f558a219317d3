import { createHmac } from 'node:crypto';
import { type FeedCall, type Proof, refused } from './proof.ts';
import { isSameText } from './same-text.ts';

/** Mailgun repeats events for eight hours. */
const goodForMs = 9 * 3_600_000;
const aheadMs = 300_000;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** HMAC over time and token. It does not cover the event, so a token may bring one event only. */
export function proveMailgun({ secrets, nowMs }: FeedCall, parsed: unknown): Proof {
  const given = (parsed as { signature?: Record<string, unknown> } | null)?.signature ?? {};
  const { timestamp, token, signature } = { timestamp: '', token: '', signature: '', ...given };
  const time = textOf(typeof timestamp === 'number' ? String(timestamp) : timestamp);
  if (!/^\d{1,12}$/.test(time) || !/^[\w-]{1,200}$/.test(textOf(token))) return refused('not_genuine');
  const isGenuine = secrets.some((secret) =>
    isSameText(createHmac('sha256', secret).update(`${time}${token}`).digest('hex'), textOf(signature)),
  );
  if (!isGenuine) return refused('not_genuine');
  const signedAtMs = Number(time) * 1_000;
  const ageMs = nowMs - signedAtMs;
  if (ageMs > goodForMs || ageMs < -aheadMs) return refused('too_old');
  return { singleUse: { token: textOf(token), keptUntilMs: signedAtMs + goodForMs + aheadMs } };
}
