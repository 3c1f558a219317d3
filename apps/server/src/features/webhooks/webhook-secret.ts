import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '@assay/contract';
import { isSealedNow, openText, sealText } from '../../platform/crypto/sealed-text.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { SigningWebhook } from './webhooks.store.ts';

/** Part of the encryption: changing it would make every secret unreadable. */
const purpose = 'webhook secret';

/** The Standard Webhooks specification requires 24 to 64 bytes. */
const secretBytes = 24;

export function newSealedSecret(secrets: Secrets, webhookId: string): string {
  const secret = `${WEBHOOK_SECRET_PREFIX}${randomBytes(secretBytes).toString('base64')}`;
  return sealText(secrets, { purpose, rowId: webhookId }, secret);
}

export const openSecret = (secrets: Secrets, { id, sealed_secret }: SigningWebhook): string =>
  openText(secrets, { purpose, rowId: id }, sealed_secret);

/** The secrets that sign now: the current one, and the previous one until it expires. */
export function signingSecrets(secrets: Secrets, webhook: SigningWebhook, now: Date): string[] {
  const { id, sealed_previous_secret } = webhook;
  const current = openSecret(secrets, webhook);
  if (sealed_previous_secret === null || previousSecretUntil(webhook, now) === null) return [current];
  return [current, openText(secrets, { purpose, rowId: id }, sealed_previous_secret)];
}

/** Null if there is no valid previous secret. */
export const previousSecretUntil = ({ previous_secret_until }: SigningWebhook, now: Date): Date | null =>
  previous_secret_until && previous_secret_until > now ? previous_secret_until : null;

/** The same secret under the present secret of the installation, or null if it is already. */
export function renewSealed(secrets: Secrets, webhookId: string, sealed: string | null): string | null {
  const sealedFor = { purpose, rowId: webhookId };
  if (sealed === null || isSealedNow(secrets, sealedFor, sealed)) return null;
  return sealText(secrets, sealedFor, openText(secrets, sealedFor, sealed));
}
