import { expect, it } from 'vitest';
import { readKind } from './kind-words.ts';

it.each([
  ['hard_bounce', 'hard'],
  ['HardBounce', 'hard'],
  ['Soft bounce', 'soft'],
  ['email.bounced', 'bounce'],
  ['MessageDeliveryFailed', 'bounce'],
  ['SpamComplaint', 'complaint'],
  ['spamreport', 'complaint'],
  ['Unsubscribed', 'unsubscribed'],
  ['group_unsubscribe', 'unsubscribed'],
  ['delivered', 'delivered'],
  ['dropped', 'not_sent'],
  ['reject', 'not_sent'],
  ['Blocked', 'block'],
  ['unique_opened', 'nothing'],
  ['processed', 'nothing'],
  ['5.1.1', undefined],
  ['constructor', undefined],
  ['', undefined],
])('reads %s as %s', (word, kind) => {
  expect(readKind(word)).toBe(kind);
});
