import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '@assay/contract';
import { type RotatedSecrets, sealSecret } from '../../platform/crypto/rotated-secrets.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';

export const webhookSecrets: RotatedSecrets = { table: 'webhooks', purpose: 'webhook secret' };

/** The Standard Webhooks specification requires 24 to 64 bytes. */
const secretBytes = 24;

export function newSealedSecret(secrets: Secrets, webhookId: string): string {
  const secret = `${WEBHOOK_SECRET_PREFIX}${randomBytes(secretBytes).toString('base64')}`;
  return sealSecret(secrets, webhookSecrets, webhookId, secret);
}
