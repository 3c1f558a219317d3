import { API_BASE } from '@assay/contract';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { readOrder, signOrder } from '../../platform/crypto/signed-order.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { MailKind } from '../users/index.ts';

export const unsubscribePath = '/notices/unsubscribe';

const orderSchema = z.strictObject({
  ownerId: z.uuid(),
  // Links in older mails do not say it.
  kind: z._default(z.enum(['lists', 'balance', 'plan']), 'lists'),
  expiresAt: z.number(),
});

/** Longer than a person keeps such a mail. The link can only turn mails off. */
const linkMs = 366 * 24 * 3_600_000;

interface LinkParts {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly publicUrl: string;
}

interface Unsubscription {
  readonly ownerId: AccountId;
  readonly kind: MailKind;
}

export function unsubscribeLink(
  { secrets, clock, publicUrl }: LinkParts,
  { ownerId, kind }: Unsubscription,
): string {
  const expiresAt = clock.now().getTime() + linkMs;
  const token = signOrder(secrets.keyFor('unsubscribe links'), { ownerId, kind, expiresAt });
  return `${publicUrl}${API_BASE}${unsubscribePath}?order=${token}`;
}

/**
 * The customer of a link, and the mails it turns off. A link that we did not sign does not exist. Those in old mails outlive a
 * change of the secret.
 */
export function readUnsubscribeLink(
  { secrets, clock }: Pick<LinkParts, 'secrets' | 'clock'>,
  token: string,
): Unsubscription {
  const read = (by: Secrets) => readOrder(by.keyFor('unsubscribe links'), token, orderSchema, clock.now());
  for (const earlier of secrets.previous) {
    try {
      return read(earlier);
    } catch {
      // Perhaps another one signed it.
    }
  }
  return read(secrets);
}
