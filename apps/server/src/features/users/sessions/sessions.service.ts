import type { AccountSecurity, SecondFactor } from '@assay/contract';
import { type Person, type Subject, sessionKeyOf } from '../../../platform/auth/index.ts';
import type { Clock, Schedule } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { publishSessionsEnded } from '../../../platform/events/index.ts';
import type { IdentityAdmin, ProviderSession } from '../../../platform/identity-admin/index.ts';
import type { UserId } from '../../../platform/ids.ts';
import { recordActivity } from '../../activity/index.ts';
import { findIdentitiesOf } from '../users.store.ts';
import { insertEndedSession, updateSessionsValidFrom } from './sessions.store.ts';

export interface SessionsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Null without access to the provider's accounts. */
  readonly identityAdmin: IdentityAdmin | null;
}

/** Longer than a provider's sessions live, so that a surviving refresh token cannot revive one. */
const endedSessionKeptMs = 90 * 86_400_000;

/** Signs out the person's session: every process refuses its access tokens at once. */
export async function endSession({ db, clock }: SessionsParts, person: Person): Promise<void> {
  const { userId, subject } = person;
  if (!subject) return;
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    await refuseSession(tx, userId, subject, now);
    await recordActivity(tx, person, { kind: 'session.signed_out', now });
  });
}

async function refuseSession(
  tx: Tx,
  userId: UserId,
  { issuer, sessionKey }: Pick<Subject, 'issuer' | 'sessionKey'>,
  now: Date,
): Promise<void> {
  const keptUntil = new Date(now.getTime() + endedSessionKeptMs);
  await insertEndedSession(tx, { issuer, sessionKey, keptUntil, now });
  await publishSessionsEnded(tx, userId);
}

export async function describeSecurity(
  { db, identityAdmin }: SessionsParts,
  person: Person,
): Promise<AccountSecurity> {
  if (!identityAdmin?.security) return { second_factors: null, sessions: null };
  const { security } = identityAdmin;
  const secondFactors = new Set<SecondFactor>();
  const sessions: ProviderSession[] = [];
  for (const identity of await findIdentitiesAtIssuer(db, person)) {
    for (const { kind } of await security.findSecondFactors(identity.subject))
      if (kind !== 'recovery_codes') secondFactors.add(kind);
    sessions.push(...(await security.findSessions(identity.subject)));
  }
  return {
    second_factors: [...secondFactors],
    sessions: sessions
      .toSorted((left, right) => right.usedAt.getTime() - left.usedAt.getTime())
      .map(({ id, agent, address, startedAt, usedAt }) => ({
        id,
        agent,
        address,
        start_date: startedAt.toISOString(),
        last_used_date: usedAt.toISOString(),
        is_current: id === person.subject?.sessionId,
      })),
  };
}

/** How a customer signs in, for the download of all data. Null where only the provider's own pages tell, or it does not answer. */
export async function describeSignIns(
  { db, identityAdmin }: Pick<SessionsParts, 'db' | 'identityAdmin'>,
  userId: UserId,
) {
  const security = identityAdmin?.security;
  if (!security) return { second_factors: null, sessions: null };
  const subjects = new Set((await findIdentitiesOf(db, userId)).map(({ subject }) => subject));
  try {
    const found = await Promise.all(
      [...subjects].map(async (subject) => ({
        factors: await security.findSecondFactors(subject),
        sessions: await security.findSessions(subject),
      })),
    );
    return {
      second_factors: found.flatMap(({ factors }) =>
        factors.map(({ kind, name, createdAt }) => ({ kind, name, creation_date: createdAt })),
      ),
      sessions: found.flatMap(({ sessions }) =>
        sessions.map(({ agent, address, startedAt, usedAt }) => ({
          agent,
          address,
          start_date: startedAt,
          last_used_date: usedAt,
        })),
      ),
    };
  } catch {
    return {
      second_factors: null,
      sessions: null,
      problem: 'The sign-in service did not answer. Try again later.',
    };
  }
}

/**
 * After a change of the issuer's address, a person has an identity under each, often with the same subject. Tokens of the old
 * one are refused, so the caller's issuer is the one that sessions belong to.
 */
async function findIdentitiesAtIssuer(db: Db, { userId, subject }: Person) {
  const identities = await findIdentitiesOf(db, userId);
  return identities.filter(({ issuer }) => issuer === subject?.issuer);
}

/** Ends a session of the person's, first at the provider, then here, where every process refuses its access tokens at once. */
export async function endSessionById(
  { db, clock, identityAdmin }: SessionsParts,
  person: Person,
  sessionId: string,
): Promise<void> {
  const { userId } = person;
  const security = identityAdmin?.security;
  for (const { issuer, subject } of security ? await findIdentitiesAtIssuer(db, person) : []) {
    const session = (await security?.findSessions(subject))?.find(({ id }) => id === sessionId);
    if (!session) continue;
    await security?.endSession(sessionId);
    await db.transaction().execute(async (tx) => {
      const now = clock.now();
      await refuseSession(tx, userId, { issuer, sessionKey: sessionKeyOf(sessionId) }, now);
      await recordActivity(tx, person, { kind: 'session.ended', about: session.agent ?? undefined, now });
    });
    return;
  }
  throw new AppError('session_not_found', { userId });
}

/**
 * Ends every other session, first at the provider, so that none of them gets another token, then here. The caller's
 * session continues, if the provider can tell it from the others, with tokens that are newer than this call.
 * See docs/decisions/sessions-end-at-provider-first.md.
 */
export async function endOtherSessions(parts: SessionsParts, person: Person): Promise<void> {
  const { userId, subject } = person;
  const { db, clock } = parts;
  const atProvider = await endAtProvider(parts, userId, subject);
  const validFrom = wholeSecond(clock.now());
  await secondIsOver(parts, validFrom);
  await db.transaction().execute(async (tx) => {
    await updateSessionsValidFrom(tx, userId, { validFrom, keptSession: atProvider.keptSession });
    await publishSessionsEnded(tx, userId);
    await recordActivity(tx, person, { kind: 'session.others_ended', now: clock.now() });
  });
  if (atProvider.failure) {
    throw new AppError('sessions_not_ended', { userId }, { cause: atProvider.failure });
  }
}

/** If the provider does not answer, sessions still end here: then only a new sign-in opens the account. */
async function endAtProvider(
  { db, identityAdmin }: SessionsParts,
  userId: UserId,
  subject: Subject | undefined,
): Promise<{ keptSession: string | null; failure?: unknown }> {
  const ownSession = subject?.sessionId ?? null;
  if (!identityAdmin) return { keptSession: ownSession };
  try {
    let keptSession: string | null = null;
    for (const identity of await findIdentitiesOf(db, userId)) {
      const keep = identity.subject === subject?.sub ? ownSession : null;
      const { isKept } = await identityAdmin.endSessions(identity.subject, { keep });
      if (isKept) keptSession = keep;
    }
    return { keptSession };
  } catch (failure) {
    return { keptSession: ownSession, failure };
  }
}

const wholeSecond = (moment: Date): Date => new Date(Math.floor(moment.getTime() / 1_000) * 1_000);

/**
 * The caller renews its token as soon as it is refused. In the same second as the end, the
 * new token would be refused as well.
 */
async function secondIsOver({ clock, schedule }: SessionsParts, second: Date): Promise<void> {
  const restMs = second.getTime() + 1_000 - clock.now().getTime();
  if (restMs > 0) await new Promise<void>((resolve) => schedule(resolve, restMs));
}
