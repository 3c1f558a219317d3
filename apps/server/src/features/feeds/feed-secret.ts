import { randomBytes } from 'node:crypto';
import { FEED_SECRET_PREFIX } from '@assay/contract';
import { isSealedNow, openText, sealText } from '../../platform/crypto/sealed-text.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { type FeedRow, findAllSecrets, replaceSealed } from './feeds.store.ts';

/** Part of the encryption: changing it would make every secret unreadable. */
const purpose = 'feed secret';
const secretBytes = 24;

type SealedFeed = Pick<FeedRow, 'id' | 'sealed_secret' | 'sealed_previous_secret' | 'previous_secret_until'>;

/** In letters and digits only, because it is written into addresses. */
export const newFeedSecret = (): string => FEED_SECRET_PREFIX + randomBytes(secretBytes).toString('hex');

export const sealSecret = (secrets: Secrets, feedId: string, secret: string): string =>
  sealText(secrets, { purpose, rowId: feedId }, secret);

/** The secrets that are good now: the present one, and the previous one until it expires. */
export function goodSecrets(secrets: Secrets, feed: SealedFeed, now: Date): string[] {
  const { id, sealed_secret, sealed_previous_secret } = feed;
  const sealed = previousSecretUntil(feed, now) ? [sealed_secret, sealed_previous_secret] : [sealed_secret];
  return sealed
    .filter((text) => text !== null)
    .map((text) => openText(secrets, { purpose, rowId: id }, text));
}

/** Null if there is no previous secret that is good. */
export const previousSecretUntil = (
  { sealed_previous_secret, previous_secret_until }: SealedFeed,
  now: Date,
): Date | null =>
  sealed_previous_secret !== null && previous_secret_until && previous_secret_until > now
    ? previous_secret_until
    : null;

/** Encrypts secrets with the present secret that a previous one encrypted. Returns how many feeds had such. */
export async function renewFeedSecrets(db: Db, secrets: Secrets): Promise<number> {
  let count = 0;
  for await (const { id, sealed_secret, sealed_previous_secret } of findAllSecrets(db)) {
    const renew = (sealed: string | null): string | null => {
      const sealedFor = { purpose, rowId: id };
      if (sealed === null || isSealedNow(secrets, sealedFor, sealed)) return sealed;
      return sealText(secrets, sealedFor, openText(secrets, sealedFor, sealed));
    };
    const renewed = {
      sealed_secret: renew(sealed_secret),
      sealed_previous_secret: renew(sealed_previous_secret),
    };
    const isOld =
      renewed.sealed_secret !== sealed_secret || renewed.sealed_previous_secret !== sealed_previous_secret;
    if (isOld) count += await replaceSealed(db, { id, sealedBefore: sealed_secret, ...renewed });
  }
  return count;
}
