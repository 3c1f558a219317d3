import { randomUUID } from 'node:crypto';
import type { Person, Profile, Subject } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { CountWait } from '../../platform/database/waiting-line.ts';
import { AppError } from '../../platform/errors/index.ts';
import { ownAccountOf, type UserId } from '../../platform/ids.ts';
import { createLoopShare } from '../../platform/limits/loop-share.ts';
import { claimFreeCredits, noteAddressChange, openBilling } from '../billing/index.ts';
import { claimedMailboxOf } from './claimed-mailbox.ts';
import { createIdentityFinder } from './find-identities.ts';
import { followProvider } from './sessions/follow-provider.ts';
import { isSessionEnded } from './sessions/session-rules.ts';
import { findDeletion } from './user-removal.store.ts';
import {
  type FoundIdentity,
  findIdentities,
  findUserIdByVerifiedAddress,
  type Identity,
  type IdentityProfile,
  insertIdentity,
  insertUser,
  lockNewcomer,
  type OwnMembership,
  updateAddress,
  updateIdentity,
} from './users.store.ts';

export interface SignInParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** Mailboxes of one domain that get free credits in 24 hours without an operator. */
  readonly freeGrantsPerDomain: number;
}

/** Finds the customers of verified tokens, or creates accounts for new people. See docs/decisions/users-one-person.md. */
export function createSubjectResolver(
  parts: SignInParts,
  countWait: CountWait = (wait) => wait,
): (subject: Subject) => Promise<Person> {
  const findIdentity = createIdentityFinder(parts.db);
  // New accounts are made one at a time, with pauses, so that many sign-ups do not slow down existing customers.
  const newcomers = createLoopShare();
  return async (subject) => {
    const identity = await countWait(findIdentity(lookupOf(subject)));
    if (!identity) {
      const profile = await subject.readProfile();
      return newcomers.slice(() => welcome(parts, subject, profile));
    }
    const { userId } = identity;
    if (isSessionEnded(subject, identity)) throw new AppError('session_ended', { userId });
    const rulesNow = await followProvider(parts.db, subject, identity);
    if (isSessionEnded(subject, rulesNow)) throw new AppError('session_ended', { userId });

    if (subject.issuedAt > identity.asOf) await followProfile(parts, subject, identity);
    return actingFor(identity);
  };
}

async function welcome(parts: SignInParts, subject: Subject, profile: Profile): Promise<Person> {
  const { db, clock, secrets } = parts;
  return db.transaction().execute(async (tx) => {
    await lockNewcomer(tx, keyOf(subject), profile.email ?? '');
    // An earlier call of the same person may have held the lock.
    const earlier = await readIdentity(tx, subject);
    if (earlier) return actingFor(earlier);

    const deletedAt = await findDeletion(tx, secrets, keyOf(subject));
    // A customer who deleted their account may return, but not with a session from before.
    const begunAt = subject.signedInAt ?? subject.issuedAt;
    if (deletedAt && begunAt <= deletedAt) throw new AppError('unauthorized');

    const now = clock.now();
    const userId = (await findKnown(tx, profile)) ?? (await openAccountFor(tx, profile, now));
    await insertIdentity(tx, keyOf(subject), { userId, ...identityProfileOf(subject, profile), now });
    await claimIfVerified(tx, parts, { userId, profile, now });
    const added = await readIdentity(tx, subject);
    if (!added) throw new Error(`Person ${userId} has no account of their own.`);
    return actingFor(added);
  });
}

async function readIdentity(tx: Tx, subject: Subject): Promise<FoundIdentity | undefined> {
  return (await findIdentities(tx, [lookupOf(subject)])).values().next().value;
}

/** Who acts for which account, and as what. */
const actingFor = ({
  userId,
  accountId,
  role,
  standing,
}: { readonly userId: UserId } & OwnMembership): Person => ({
  accountId,
  userId,
  role,
  standing,
});

/** Finds the person of another sign-in with the same address. Only a verified address counts: anyone can type an address. */
async function findKnown(tx: Tx, profile: Profile): Promise<UserId | undefined> {
  if (!profile.email || !profile.isEmailVerified) return undefined;
  return findUserIdByVerifiedAddress(tx, profile.email);
}

async function openAccountFor(tx: Tx, profile: Profile, now: Date): Promise<UserId> {
  const id: UserId = randomUUID();
  await insertUser(tx, {
    id,
    firstName: profile.firstName,
    lastName: profile.lastName,
    emailAddress: profile.email ?? '',
    phone: profile.phone,
    now,
  });
  await openBilling(tx, { ownerId: ownAccountOf(id), now });
  return id;
}

/**
 * A newer token may carry a new address, or say that the address is now verified. Customers edit name and phone here, so a
 * token does not overwrite them.
 */
async function followProfile(parts: SignInParts, subject: Subject, known: Identity): Promise<void> {
  const { db, clock } = parts;
  // A provider that does not answer must neither lock out known people nor be asked at every call, so we keep the known
  // profile until the next token.
  const profile = await subject.readProfile().catch(() => undefined);
  const email = profile?.email;

  await db.transaction().execute(async (tx) => {
    const newest =
      profile && email ? identityProfileOf(subject, profile) : { ...known, asOf: subject.issuedAt };
    const isNewest = await updateIdentity(tx, keyOf(subject), newest);
    if (!isNewest || !profile || !email) return;

    const isNewAddress = email !== known.emailAddress;
    if (isNewAddress && (profile.isEmailVerified || !known.isEmailVerified)) {
      await updateAddress(tx, known.userId, email);
      await noteAddressChange(tx, { ownerId: ownAccountOf(known.userId), now: clock.now() });
    }
    if (isNewAddress || !known.isEmailVerified) {
      await claimIfVerified(tx, parts, { userId: known.userId, profile, now: clock.now() });
    }
  });
}

async function claimIfVerified(
  tx: Tx,
  { secrets, freeGrantsPerDomain: perDomainMax }: SignInParts,
  { userId, profile, now }: { userId: UserId; profile: Profile; now: Date },
): Promise<void> {
  if (!profile.email || !profile.isEmailVerified) return;
  const ownerId = ownAccountOf(userId);
  await claimFreeCredits(tx, { ...claimedMailboxOf(profile.email, secrets), ownerId, perDomainMax, now });
}

const keyOf = (subject: Subject) => ({ issuer: subject.issuer, subject: subject.sub });
const lookupOf = (subject: Subject) => ({ ...keyOf(subject), sessionKey: subject.sessionKey });

const identityProfileOf = (subject: Subject, profile: Profile): IdentityProfile => ({
  providers: [...profile.identities],
  emailAddress: profile.email ?? '',
  isEmailVerified: profile.isEmailVerified,
  asOf: subject.issuedAt,
});
