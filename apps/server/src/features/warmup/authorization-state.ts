import { timingSafeEqual } from 'node:crypto';
import type { MailboxProvider } from '@assay/contract';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { AppError } from '../../platform/errors/index.ts';

/** Who went to which provider. The state says so only to us: to others it is an id, a time and a signature. */
interface Traveller {
  readonly ownerId: string;
  readonly provider: MailboxProvider;
}

/** Trips under way while this word changes would not be recognised when they come back. */
const statePurpose = 'warm-up state';

const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,12})\.([0-9a-f]{64})$/;

/** The `state` of an authorization request: nobody else can make one, and nobody else can use it. */
export function signState(
  secrets: Secrets,
  { id, expiresAt, ...traveller }: Traveller & { id: string; expiresAt: Date },
): string {
  const seconds = Math.floor(expiresAt.getTime() / 1_000);
  return `${id}.${seconds}.${signatureOf(secrets, traveller, id, seconds)}`;
}

/** The id of the trip that this state belongs to. Whether it has come back before, its row tells. */
export function readState(
  secrets: Secrets,
  state: string,
  { now, ...traveller }: Traveller & { now: Date },
): string {
  const [, id = '', secondsText = '', signature = ''] = pattern.exec(state) ?? [];
  const seconds = Number(secondsText);
  const wanted = signatureOf(secrets, traveller, id, seconds);
  const isGenuine = signature !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(wanted));
  if (!isGenuine) throw new AppError('mailbox_state_invalid', { userId: traveller.ownerId });
  if (seconds * 1_000 <= now.getTime()) {
    throw new AppError('mailbox_state_expired', { userId: traveller.ownerId });
  }
  return id;
}

const signatureOf = (
  secrets: Secrets,
  { ownerId, provider }: Traveller,
  id: string,
  seconds: number,
): string => secrets.keyedHash(statePurpose, [id, seconds, ownerId, provider].join(' '));
