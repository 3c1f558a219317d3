import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { KnownOutcome } from './kept-once.ts';
import type { Outcome } from './outcome.ts';
import { slack } from './outcome.ts';

export interface Counters {
  readonly lastNumber: number;
  readonly matchedNumber: number;
}

/** Locks the counters of a customer, so that their outcomes are recorded one call after the other. */
export async function lockCounters(tx: Tx, ownerId: AccountId): Promise<Counters> {
  const { rows } = await sql<Counters>`
    insert into outcome_counters as counters (owner_id) values (${ownerId})
    on conflict (owner_id) do update set last_number = counters.last_number
    returning last_number as "lastNumber", matched_number as "matchedNumber"`.execute(tx);
  return rows[0] as Counters;
}

/** One outcome repeats a few. Of more, those that say most of the event. */
const alikeMax = 5;
/**
 * How many kept outcomes of the same address and time are looked at for one, so that a sender that reports thousands of one address
 * costs no more: 100, or fewer for many at once.
 */
const lookedAtMax = 100;
const lookedAtMin = 10;
const lookedAtPerCall = 100_000;

/** Each may have tens of them, and to read all at once would delay other calls. */
const lookedUpAtATime = 1_000;

/** Kept outcomes that some of these, which have one origin, may repeat. */
export async function findAlike(
  tx: Tx,
  ownerId: AccountId,
  outcomes: readonly Outcome[],
): Promise<KnownOutcome[]> {
  const lookedAt = Math.max(
    lookedAtMin,
    Math.min(lookedAtMax, Math.floor(lookedAtPerCall / outcomes.length)),
  );
  const alike = new Map<number | null, KnownOutcome>();
  for (let start = 0; start < outcomes.length; start += lookedUpAtATime)
    for (const one of await findSomeAlike(
      tx,
      ownerId,
      outcomes.slice(start, start + lookedUpAtATime),
      lookedAt,
    ))
      alike.set(one.number, one);
  return [...alike.values()];
}

async function findSomeAlike(
  tx: Tx,
  ownerId: AccountId,
  outcomes: readonly Outcome[],
  lookedAt: number,
): Promise<KnownOutcome[]> {
  const [first] = outcomes;
  if (!first) return [];
  const wanted = outcomes.map(({ addressKey, at, slackSeconds, eventId, eventKey }) => ({
    address_key: addressKey,
    at,
    slack_seconds: slackSeconds,
    has_id: eventId !== null,
    event_key: eventKey,
  }));
  const within = (seconds: RawBuilder<unknown>) =>
    sql`happened_at between wanted.at - ${seconds} * interval '1 second' and wanted.at + ${seconds} * interval '1 second'`;
  // A sender gives each of its events another id.
  const isOther = sql`not (wanted.has_id and event_id is not null and source = ${first.source}
    and source_id is not distinct from ${first.sourceId}::uuid)`;
  // As text, the owner is in no index but those of the hash.
  const isOwn = sql`owner_id::text = ${ownerId}::text`;
  const hashOf = (key: RawBuilder<unknown>) => sql`uuid_hash_extended(${ownerId}::uuid, ${key})`;
  const few = (condition: RawBuilder<unknown>) => sql`
    select * from (
      select * from outcomes where ${condition} and ${isOwn} and address_key = wanted.address_key
      limit ${sql.lit(lookedAt)}) looked_at
    where ${isOther} order by slack_seconds, event_id is null, words = rule limit ${sql.lit(alikeMax)}`;
  const ofAddress = sql`uuid_hash_extended(owner_id, address_key) = ${hashOf(sql`wanted.address_key`)}`;
  const ofSlack = sql`uuid_hash_extended(owner_id, address_key # slack_seconds) = ${hashOf(sql`wanted.address_key # slack.seconds`)}
    and slack_seconds > 0 and slack_seconds = slack.seconds`;
  const ofEvent = sql`uuid_hash_extended(owner_id, event_key) = ${hashOf(sql`wanted.event_key`)} and event_key = wanted.event_key`;
  await allowOnlyIndexes(tx, true);
  const { rows } = await sql<KnownOutcome>`
    with wanted as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}) as wanted
        (address_key bigint, at timestamptz, slack_seconds integer, has_id boolean, event_key bigint)),
    moments as materialized (select distinct address_key, at, slack_seconds, has_id from wanted)
    select distinct number, address_key as "addressKey", kind, source, source_id as "sourceId", happened_at as at,
      slack_seconds as "slackSeconds", event_id as "eventId", event_key as "eventKey", words <> rule as "hasWords"
    from (
      select outcome.* from moments wanted
        cross join lateral (${few(sql`${ofAddress} and happened_at = wanted.at`)}) outcome
      union all
      select outcome.* from moments wanted
        cross join lateral (${few(sql`${ofAddress} and ${within(sql`wanted.slack_seconds`)}`)}) outcome
      where wanted.slack_seconds > 0
      union all
      select outcome.* from moments wanted
        cross join unnest(${sql.lit(inexactSlacks)}::integer[]) as slack (seconds)
        cross join lateral (${few(sql`${ofSlack} and ${within(sql`slack.seconds`)}`)}) outcome
      union all
      select outcome.* from wanted cross join lateral (
        select * from outcomes where ${ofEvent} and ${isOwn} limit ${sql.lit(alikeMax)}) outcome
    ) alike`.execute(tx);
  await allowOnlyIndexes(tx, false);
  return rows;
}

/** A table that is small, or was when PostgreSQL looked at it last, would be read as a whole for each look-up. */
const allowOnlyIndexes = (tx: Tx, isOnly: boolean) => {
  const others = isOnly ? 'off' : 'on';
  return sql`select set_config('enable_seqscan', ${others}, true), set_config('enable_bitmapscan', ${others}, true)`.execute(
    tx,
  );
};

const inexactSlacks = `{${Object.values(slack).join(',')}}`;

export interface NewOutcomes {
  readonly ownerId: AccountId;
  /** The numbers before theirs. */
  readonly lastNumber: number;
  readonly outcomes: readonly Outcome[];
  readonly now: Date;
}

/** To write more as JSON at once would delay other calls. */
const insertedAtATime = 1_000;

/** Inserts outcomes in their order and moves the counter on. */
export async function insertOutcomes(
  tx: Tx,
  { ownerId, lastNumber, outcomes, now }: NewOutcomes,
): Promise<void> {
  for (let start = 0; start < outcomes.length; start += insertedAtATime)
    await insertSome(tx, {
      ownerId,
      lastNumber: lastNumber + start,
      outcomes: outcomes.slice(start, start + insertedAtATime),
      now,
    });
  await tx
    .updateTable('outcome_counters')
    .set({ last_number: lastNumber + outcomes.length })
    .where('owner_id', '=', ownerId)
    .execute();
}

async function insertSome(tx: Tx, { ownerId, lastNumber, outcomes, now }: NewOutcomes): Promise<void> {
  await sql`
    insert into outcomes (owner_id, number, email_address, address_key, kind, subject, action, reason, rule, words,
      happened_at, slack_seconds, source, source_id, event_id, event_key, list_id, recorded_at)
    select ${ownerId}, ${lastNumber}::bigint + row_number() over (), email, "addressKey", kind, subject, action, reason,
      rule, words, at, "slackSeconds", source, "sourceId", "eventId", "eventKey", "listId", ${now}
    from json_to_recordset(${JSON.stringify(outcomes)}) as outcome (email text, "addressKey" bigint, kind text,
      subject text, action text, reason text, rule text, words text, at timestamptz, "slackSeconds" integer,
      source text, "sourceId" uuid, "eventId" text, "eventKey" bigint, "listId" uuid)`.execute(tx);
}

export async function removeOutcomes(tx: Tx, ownerId: AccountId, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql`delete from outcomes where owner_id = ${ownerId} and number = any(${numberArray(numbers)}::bigint[])`.execute(
    tx,
  );
}

/** The customers who have outcomes that are not matched. */
export async function findOwnersBehind(db: Db): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('outcome_counters')
    .select('owner_id')
    .whereRef('matched_number', '<', 'last_number')
    .execute();
  return rows.map(({ owner_id }) => owner_id);
}
