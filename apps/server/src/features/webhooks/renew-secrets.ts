import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { renewSealed } from './webhook-secret.ts';
import { findAllSecrets, replaceSealed } from './webhooks.store.ts';

/** Encrypts signing secrets with the present secret that a previous one encrypted. Returns how many webhooks had such. */
export async function renewWebhookSecrets(db: Db, secrets: Secrets): Promise<number> {
  let count = 0;
  for await (const { id, sealed_secret, sealed_previous_secret } of findAllSecrets(db)) {
    const renewed = {
      sealed_secret: renewSealed(secrets, id, sealed_secret) ?? sealed_secret,
      sealed_previous_secret: renewSealed(secrets, id, sealed_previous_secret) ?? sealed_previous_secret,
    };
    const isOld =
      renewed.sealed_secret !== sealed_secret || renewed.sealed_previous_secret !== sealed_previous_secret;
    if (isOld) count += await replaceSealed(db, { id, sealedBefore: sealed_secret, ...renewed });
  }
  return count;
}
