import { errors, type JWTVerifyGetKey } from 'jose';
import { findMissingPlans } from '../../features/billing/index.ts';
import { connectIssuer } from '../../platform/auth/index.ts';
import type { Config } from '../../platform/config/index.ts';
import { createIdentityAdmin } from '../../platform/identity-admin/index.ts';
import { checkRelay } from '../../platform/mail/send-mail.ts';
import type { Finding } from '../finding.ts';
import { failedCheck } from './failed-check.ts';

/** Signs in to the administration of the identity provider, as changes of passwords do. */
export async function checkIdentityAdmin({ admin }: Config['identity']): Promise<Finding> {
  const check = 'identity_admin';
  if (!admin)
    return {
      check,
      status: 'skipped',
      detail: 'OIDC_ADMIN_KIND is not set: passwords and sessions are managed at the provider.',
    };
  try {
    await createIdentityAdmin(admin).checkAccess();
    return {
      check,
      status: 'ok',
      detail: 'The identity provider takes our credentials for its administration.',
    };
  } catch (error) {
    const { status } = (error as { details?: { status?: number } }).details ?? {};
    return failedCheck(check, error, {
      detail: `${admin.url} gives no token for its administration (${status ?? 'it cannot be reached'}).`,
      fix: 'Correct OIDC_ADMIN_URL, OIDC_ADMIN_CLIENT_ID and OIDC_ADMIN_CLIENT_SECRET, or allow the client credentials grant.',
    });
  }
}

/** Asks the issuer for its description and its keys, which every bearer token needs. */
export async function checkIdentity({ issuer, reachedAt }: Config['identity']): Promise<Finding> {
  const check = 'identity';
  try {
    const keys = await connectIssuer({ issuer, reachedAt }).keys();
    await findNoKey(keys);
    return { check, status: 'ok', detail: `${issuer} describes itself and gives its keys.` };
  } catch (error) {
    return failedCheck(check, error, {
      detail: (error as Error).message,
      fix: 'Start the identity provider, or write OIDC_ISSUER letter by letter as it names itself.',
    });
  }
}

/** No token has this key id: the answer "no such key" shows that the keys are there. */
async function findNoKey(keys: JWTVerifyGetKey): Promise<void> {
  try {
    await keys({ alg: 'RS256', kid: 'assay doctor' }, { payload: '', signature: '' });
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
  }
}

/** Asks Stripe for the prices of the plans. */
export async function checkPayments({ stripe }: Config['payments']): Promise<Finding> {
  const check = 'payments';
  if (!stripe)
    return { check, status: 'skipped', detail: 'STRIPE_SECRET_KEY is not set: plans cannot be bought.' };
  try {
    const missing = await findMissingPlans(stripe);
    return missing.length === 0
      ? { check, status: 'ok', detail: 'Stripe has a price for every plan.' }
      : {
          check,
          status: 'problem',
          detail: `Stripe has no price for ${missing.join(', ')}.`,
          fix: 'Run `assay payments setup`.',
        };
  } catch (error) {
    return failedCheck(check, error, {
      // The library repeats a part of a wrong key.
      detail: `Stripe cannot be asked (${(error as { type?: string }).type ?? 'no reason given'}).`,
      fix: 'Correct STRIPE_SECRET_KEY, or let this machine reach STRIPE_API_URL.',
    });
  }
}

/** Connects to the mail relay and signs in. */
export async function checkMailRelay({ relayUrl }: Config['mail']): Promise<Finding> {
  const check = 'mail_relay';
  if (!relayUrl) return { check, status: 'skipped', detail: 'SMTP_RELAY_URL is not set: no mail is sent.' };
  try {
    await checkRelay(relayUrl, AbortSignal.timeout(30_000));
    return { check, status: 'ok', detail: 'The mail relay takes our connection.' };
  } catch (error) {
    return failedCheck(check, error, {
      detail: (error as Error).message,
      fix: 'Correct SMTP_RELAY_URL.',
    });
  }
}
