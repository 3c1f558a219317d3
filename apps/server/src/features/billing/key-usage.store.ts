import { type AskingKey, KEY_SCOPES } from '@assay/contract';
import { sql } from 'kysely';
import type { Caller } from '../../platform/auth/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';

// How many credits the work of each API key cost and holds. docs/ledger.md explains it.

/** The API key that pays for a piece of work. */
export interface PayingKey {
  readonly id: string;
  /** False for the customer's first key: it has all scopes, no limit and no usage. */
  readonly isScoped: boolean;
  /** Its work is free, so it must not hold credits. */
  readonly isTest: boolean;
  /** Per calendar month in UTC; null for no limit. */
  readonly monthlyCreditLimit: number | null;
}

/** The key that pays for what this caller orders; undefined for a signed-in person. */
export function payingKeyOf({ key }: Caller): PayingKey | undefined {
  if (key?.grant) return { ...key.grant, id: key.id, isScoped: true };
  return key && { id: key.id, isScoped: false, isTest: false, monthlyCreditLimit: null };
}

/** What a key may do and has spent; undefined for a signed-in person. */
export async function describeAskingKey(
  db: Db,
  { accountId, key }: Caller,
  now: Date,
): Promise<AskingKey | undefined> {
  if (!key) return undefined;
  const { grant, name } = key;
  if (!grant)
    return { name, mode: 'live', scopes: [...KEY_SCOPES], monthly_credit_limit: null, month_credits: null };
  return {
    name,
    mode: grant.isTest ? 'test' : 'live',
    scopes: [...grant.scopes],
    monthly_credit_limit: grant.monthlyCreditLimit,
    month_credits: await readMonthCredits(db, accountId, key.id, now),
  };
}

interface KeyPayment {
  readonly ownerId: AccountId;
  readonly apiKey: PayingKey;
  readonly credits: number;
  readonly now: Date;
}

/**
 * Counts the credits of a hold against the key's month, or refuses the work. Call it after `placeHold`: the wallet's lock
 * makes the holds of a customer wait for each other, so no two of them see the same rest.
 *
 * An upload can take minutes, so the key is read again: it may have been revoked, have expired or have another limit since the
 * call began. The lock lets a revocation wait for this transaction and then forget what it counted.
 */
export async function chargeKey(tx: Tx, payment: KeyPayment): Promise<void> {
  const { ownerId, apiKey, credits, now } = payment;
  if (!apiKey.isScoped) return requireUnscopedKey(tx, payment);
  const { rows } = await sql`
    with key as materialized (
      select monthly_credit_limit from scoped_api_keys
      where owner_id = ${ownerId} and id = ${apiKey.id} and (expires_at is null or expires_at > ${now})
      for key share)
    insert into api_key_usage (owner_id, api_key_id, day, credits)
    select ${ownerId}, ${apiKey.id}, ${dayOf(now)}::date, ${credits} from key
    where monthly_credit_limit is null
      or ${creditsInMonth(ownerId, apiKey.id, now)} + ${credits} <= monthly_credit_limit
    on conflict (owner_id, api_key_id, day) do update set credits = api_key_usage.credits + excluded.credits
    returning 1`.execute(tx);
  if (rows.length === 0) throw await refusalNow(tx, payment);
}

/** Refuses work of the first key if it was deleted since the call began. */
async function requireUnscopedKey(tx: Tx, { ownerId, apiKey }: KeyPayment): Promise<void> {
  const { rows } = await sql`
    select 1 from api_keys where owner_id = ${ownerId} and id = ${apiKey.id} for key share`.execute(tx);
  if (rows.length === 0) throw new AppError('unknown_api_key', { accountId: ownerId, keyId: apiKey.id });
}

/** Why a key that was valid when the call began cannot pay any more. */
async function refusalNow(tx: Tx, payment: KeyPayment): Promise<AppError> {
  const { ownerId, apiKey, now } = payment;
  const details = { accountId: ownerId, keyId: apiKey.id };
  const { rows } = await sql<{ limit: number | null; isExpired: boolean }>`
    select monthly_credit_limit as limit, coalesce(expires_at <= ${now}, false) as "isExpired" from scoped_api_keys
    where owner_id = ${ownerId} and id = ${apiKey.id}`.execute(tx);
  const [key] = rows;
  if (!key) return new AppError('unknown_api_key', details);
  if (key.isExpired) return new AppError('api_key_expired', details);
  return limitReached(tx, { ...payment, apiKey: { ...apiKey, monthlyCreditLimit: key.limit } });
}

/** Refuses work above the key's limit before anything is done for it. The hold decides in the end. */
export async function requireKeyCredits(db: Db, payment: KeyPayment): Promise<void> {
  const { ownerId, apiKey, credits, now } = payment;
  if (apiKey.monthlyCreditLimit === null) return;
  const used = await readMonthCredits(db, ownerId, apiKey.id, now);
  if (used + credits > apiKey.monthlyCreditLimit) throw await limitReached(db, payment);
}

/** Credits of the calendar month of `now`, by key. */
export async function readMonthlyKeyCredits(
  db: Db,
  ownerId: AccountId,
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ api_key_id: string; credits: number }>`
    select api_key_id, sum(credits)::bigint as credits from api_key_usage
    where owner_id = ${ownerId} and day >= ${monthOf(now)}::date
    group by api_key_id`.execute(db);
  return new Map(rows.map(({ api_key_id, credits }) => [api_key_id, credits]));
}

interface KeyPlace {
  readonly ownerId: AccountId;
  readonly id: string;
}

/** Credits of one key by day, such as `2026-11-16`. */
export async function readDailyKeyCredits(
  db: Db,
  { ownerId, id }: KeyPlace,
  sinceDay: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; credits: number }>`
    select day::text as day, credits from api_key_usage
    where owner_id = ${ownerId} and api_key_id = ${id} and day >= ${sinceDay}::date`.execute(db);
  return new Map(rows.map(({ day, credits }) => [day, credits]));
}

/** For a revoked key. Its work that still runs settles without it. */
export async function forgetKeyCredits(tx: Tx, { ownerId, id }: KeyPlace): Promise<void> {
  await sql`delete from api_key_usage where owner_id = ${ownerId} and api_key_id = ${id}`.execute(tx);
}

async function readMonthCredits(db: Db, ownerId: AccountId, keyId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ credits: number }>`
    select ${creditsInMonth(ownerId, keyId, now)} as credits`.execute(db);
  return rows[0]?.credits ?? 0;
}

const creditsInMonth = (ownerId: AccountId, keyId: string, now: Date) => sql`(
  select coalesce(sum(credits), 0)::bigint from api_key_usage
  where owner_id = ${ownerId} and api_key_id = ${keyId} and day >= ${monthOf(now)}::date)`;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
const monthOf = (moment: Date): string => `${moment.toISOString().slice(0, 7)}-01`;

async function limitReached(db: Db, { ownerId, apiKey, credits, now }: KeyPayment): Promise<AppError> {
  const limit = apiKey.monthlyCreditLimit ?? 0;
  const used = await readMonthCredits(db, ownerId, apiKey.id, now);
  return new AppError(
    'api_key_limit_reached',
    { keyId: apiKey.id, credits, limit, used },
    { meta: { limit, used, short_by: used + credits - limit } },
  );
}
