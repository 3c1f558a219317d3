import { timingSafeEqual } from 'node:crypto';
import type { MailboxProvider } from '@assay/contract';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Who authorizes what. The state contains only an id, a time and a signature over these. */
interface Authorization {
  readonly ownerId: AccountId;
  readonly provider: MailboxProvider;
}

/** Changing this invalidates authorizations that are in progress. */
const statePurpose = 'warm-up state';

const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,12})\.([0-9a-f]{64})$/;

/** The `state` of an authorization request. Others can neither create nor use one. */
export function signState(
  secrets: Secrets,
  { id, expiresAt, ...authorization }: Authorization & { id: string; expiresAt: Date },
): string {
  const seconds = Math.floor(expiresAt.getTime() / 1_000);
  return `${id}.${seconds}.${signatureOf(secrets, authorization, id, seconds)}`;
}

/** The id of the authorization of this state. Its row says whether it was used before. */
export function readState(
  secrets: Secrets,
  state: string,
  { now, ...authorization }: Authorization & { now: Date },
): string {
  const [, id = '', secondsText = '', signature = ''] = pattern.exec(state) ?? [];
  const seconds = Number(secondsText);
  const wanted = signatureOf(secrets, authorization, id, seconds);
  const isGenuine = signature !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(wanted));
  if (!isGenuine) throw new AppError('mailbox_state_invalid', { accountId: authorization.ownerId });
  if (seconds * 1_000 <= now.getTime()) {
    throw new AppError('mailbox_state_expired', { accountId: authorization.ownerId });
  }
  return id;
}

const signatureOf = (
  secrets: Secrets,
  { ownerId, provider }: Authorization,
  id: string,
  seconds: number,
): string => secrets.keyedHash(statePurpose, [id, seconds, ownerId, provider].join(' '));
