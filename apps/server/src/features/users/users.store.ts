import type { AccountRole } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { type AccountId, ownAccountOf, type UserId } from '../../platform/ids.ts';
import { normaliseAddress } from './address-equality.ts';

export interface UserRow {
  readonly id: UserId;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string;
  readonly phone: string | null;
  readonly guessing_enabled: boolean;
  readonly wants_list_mails: boolean;
  readonly wants_balance_mails: boolean;
  readonly wants_plan_mails: boolean;
  readonly can_change_password: boolean | null;
  readonly standing: Standing;
  readonly created_at: Date;
  readonly providers: string[];
}

const userWithProviders = sql`
  select users.id, first_name, last_name, users.email_address, phone, accounts.guessing_enabled, can_change_password,
    memberships.wants_list_mails, memberships.wants_balance_mails, memberships.wants_plan_mails, accounts.standing,
    users.created_at,
    array(
      select provider from user_identities, unnest(providers) as provider
      where user_identities.user_id = users.id group by provider order by min(created_at), provider
    ) as providers
  from users
    join memberships on memberships.user_id = users.id and account_id = users.id
    join accounts on accounts.id = account_id`;

export async function findById(db: Db, id: UserId): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`${userWithProviders} where users.id = ${id}`.execute(db);
  return rows[0];
}

/** Several customers may have the same unverified address. */
export async function findByAddress(db: Db, address: string): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    ${userWithProviders}
    where users.id in (select user_id from user_identities where address_key = ${normaliseAddress(address)})
    order by users.created_at`.execute(db);
  return rows;
}

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export interface IdentityProfile {
  readonly providers: string[];
  readonly emailAddress: string;
  readonly isEmailVerified: boolean;
  readonly asOf: Date;
}

export interface Identity extends IdentityProfile {
  readonly userId: UserId;
}

/** The rules that decide whether a session is ended: see `isSessionEnded`. */
export interface SessionRules {
  /** Null if the customer never ended all sessions. */
  readonly sessionsValidFrom: Date | null;
  readonly keptSession: string | null;
  /** When this session was last signed out; null if never. */
  readonly signedOutAt: Date | null;
}

/** The account that a person acts for. */
export interface OwnMembership {
  readonly accountId: AccountId;
  readonly role: AccountRole;
  readonly standing: Standing;
}

export interface IdentityLookup extends IdentityKey {
  /** The session whose end is asked for. */
  readonly sessionKey: string;
}

export type FoundIdentity = Identity & SessionRules & OwnMembership;

/** The identities of the lookups that have one, by the lookup itself. */
export async function findIdentities(
  db: Db,
  lookups: readonly IdentityLookup[],
): Promise<Map<IdentityLookup, FoundIdentity>> {
  const issuers = lookups.map(({ issuer }) => issuer);
  const subjects = lookups.map(({ subject }) => subject);
  const sessionKeys = lookups.map(({ sessionKey }) => sessionKey);
  // Plain SQL, because the query builder would take a fiftieth of the whole call. The limits keep one search in the index
  // per lookup, whatever PostgreSQL thinks of the number of lookups.
  const { rows } = await sql<FoundIdentity & { place: number }>`
    select place::int, identity.user_id as "userId", providers, identity.email_address as "emailAddress",
      email_verified as "isEmailVerified", profile_as_of as "asOf", sessions_valid_from as "sessionsValidFrom",
      kept_session as "keptSession", account_id as "accountId", role, standing,
      (select ended_at from ended_sessions
        where ended_sessions.issuer = lookup.issuer and ended_sessions.session_key = lookup.session_key
      ) as "signedOutAt"
    from unnest(${issuers}::text[], ${subjects}::text[], ${sessionKeys}::text[])
        with ordinality as lookup (issuer, subject, session_key, place)
      cross join lateral (
        select user_id, providers, email_address, email_verified, profile_as_of from user_identities
        where user_identities.issuer = lookup.issuer and user_identities.subject = lookup.subject limit 1
      ) as identity
      cross join lateral (
        select sessions_valid_from, kept_session from users where users.id = identity.user_id limit 1
      ) as person
      cross join lateral (
        select account_id, role, standing from memberships join accounts on accounts.id = account_id
        where account_id = identity.user_id and memberships.user_id = identity.user_id limit 1
      ) as membership`.execute(db);
  return new Map(rows.map(({ place, ...identity }) => [lookups[place - 1] as IdentityLookup, identity]));
}

/** All identities of a customer, oldest first. */
export async function findIdentitiesOf(db: Db, userId: UserId) {
  return db
    .selectFrom('user_identities')
    .select(['issuer', 'subject', 'providers', 'email_address as emailAddress'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

export async function findUserIdOf(db: Db, { issuer, subject }: IdentityKey): Promise<UserId | undefined> {
  const identity = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return identity?.user_id;
}

/** Whether a customer signs in as this subject, at any issuer. */
export async function isSubjectKnown(db: Db, subject: string): Promise<boolean> {
  const identity = await db
    .selectFrom('user_identities')
    .select('user_id')
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst();
  return identity !== undefined;
}

/**
 * The account that proved this address first. That of an operator is not found: its role must not go to the next owner of
 * the mailbox.
 */
export async function findUserIdByVerifiedAddress(tx: Tx, address: string): Promise<UserId | undefined> {
  const identity = await tx
    .selectFrom('user_identities')
    .select('user_id')
    .where('address_key', '=', normaliseAddress(address))
    .where('email_verified', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('operators').whereRef('operators.user_id', '=', 'user_identities.user_id'))),
    )
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return identity?.user_id;
}

/**
 * Makes first calls of one person wait for each other, whichever sign-in they use. Subjects are always locked before
 * addresses, so two callers cannot deadlock.
 */
export async function lockNewcomer(tx: Tx, key: IdentityKey, address: string): Promise<void> {
  const subject = `subject ${key.issuer} ${key.subject}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx);
  if (!address) return;
  const mailbox = `address ${normaliseAddress(address)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`.execute(tx);
}

/** Adds a person with an account of their own. */
export async function insertUser(
  tx: Tx,
  user: {
    id: UserId;
    firstName: string;
    lastName: string;
    emailAddress: string;
    phone: string | null;
    now: Date;
  },
): Promise<void> {
  const accountId = ownAccountOf(user.id);
  await sql`
    with account as (insert into accounts (id, created_at) values (${accountId}, ${user.now})),
      person as (
        insert into users (id, first_name, last_name, email_address, phone, created_at)
        values (${user.id}, ${user.firstName}, ${user.lastName}, ${user.emailAddress}, ${user.phone}, ${user.now}))
    insert into memberships (account_id, user_id, role, created_at)
    values (${accountId}, ${user.id}, 'owner', ${user.now})`.execute(tx);
}

export async function insertIdentity(
  tx: Tx,
  key: IdentityKey,
  identity: Identity & { now: Date },
): Promise<void> {
  await tx
    .insertInto('user_identities')
    .values({
      issuer: key.issuer,
      subject: key.subject,
      user_id: identity.userId,
      providers: identity.providers,
      email_address: identity.emailAddress,
      address_key: normaliseAddress(identity.emailAddress),
      email_verified: identity.isEmailVerified,
      profile_as_of: identity.asOf,
      created_at: identity.now,
    })
    .execute();
}

/** Returns false if a newer token's profile is already stored. */
export async function updateIdentity(tx: Tx, key: IdentityKey, profile: IdentityProfile): Promise<boolean> {
  const updated = await tx
    .updateTable('user_identities')
    .set({
      providers: profile.providers,
      email_address: profile.emailAddress,
      address_key: normaliseAddress(profile.emailAddress),
      email_verified: profile.isEmailVerified,
      profile_as_of: profile.asOf,
    })
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .where('profile_as_of', '<', profile.asOf)
    .returning('user_id')
    .executeTakeFirst();
  return updated !== undefined;
}

export async function updateAddress(tx: Tx, userId: UserId, emailAddress: string): Promise<void> {
  await tx.updateTable('users').set({ email_address: emailAddress }).where('id', '=', userId).execute();
}

const personColumns = ['first_name', 'last_name', 'phone'] as const;
const wishColumns = ['wants_list_mails', 'wants_balance_mails', 'wants_plan_mails'] as const;

/** What a person says about themselves, and which mails about an account they want. */
export type ProfileFields = Pick<UserRow, (typeof personColumns | typeof wishColumns)[number]>;

/** One person's membership of one account. */
interface MembershipKey {
  readonly accountId: AccountId;
  readonly userId: UserId;
}

export const lockProfile = (
  tx: Tx,
  { accountId, userId }: MembershipKey,
): Promise<ProfileFields | undefined> =>
  tx
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select(personColumns)
    // Until older processes are gone, users has columns of these names.
    .select([
      'memberships.wants_list_mails',
      'memberships.wants_balance_mails',
      'memberships.wants_plan_mails',
    ])
    .where('users.id', '=', userId)
    .where('memberships.account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();

export async function updateProfileFields(
  tx: Tx,
  { accountId, userId }: MembershipKey,
  fields: Partial<ProfileFields>,
): Promise<void> {
  const person = pick(fields, personColumns);
  const wishes = pick(fields, wishColumns);
  if (person) await tx.updateTable('users').set(person).where('id', '=', userId).execute();
  if (!wishes) return;
  await tx
    .updateTable('memberships')
    .set(wishes)
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}

/** The columns that have a value; undefined if none has. */
function pick<Column extends keyof ProfileFields>(
  fields: Partial<ProfileFields>,
  columns: readonly Column[],
): Partial<Pick<ProfileFields, Column>> | undefined {
  const given = columns.filter((column) => fields[column] !== undefined);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((column) => [column, fields[column]])) as Partial<
    Pick<ProfileFields, Column>
  >;
}

/** Returns whether there was none before. */
export async function updateMissingPhone(tx: Tx, userId: UserId, phone: string): Promise<boolean> {
  const updated = await tx
    .updateTable('users')
    .set({ phone })
    .where('id', '=', userId)
    .where(sql<boolean>`coalesce(phone, '') in ('', '+')`)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Whether the person may change their password here, if an operator says so. */
export async function updateCanChangePassword(db: Db, userId: UserId, isOn: boolean): Promise<void> {
  await db.updateTable('users').set({ can_change_password: isOn }).where('id', '=', userId).execute();
}
