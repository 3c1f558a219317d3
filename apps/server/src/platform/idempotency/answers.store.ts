import './idempotency.tables.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import type { AccountId } from '../ids.ts';

/** The `Idempotency-Key` of a call that costs credits, and a hash of its contents. */
export interface IdempotentCall {
  readonly ownerId: AccountId;
  readonly key: string;
  readonly requestHash: string;
}

/** How long a repeated call gets the same answer. */
const answerAgeMaxMs = 24 * 3_600_000;

export interface StoredAnswer {
  readonly request_hash: string;
  readonly answer: unknown;
}

/** Finds the stored answers of calls of any customers with one statement. */
export async function findAnswers(
  db: Db,
  calls: readonly IdempotentCall[],
): Promise<Map<IdempotentCall, StoredAnswer>> {
  const { rows } = await sql<StoredAnswer & { place: number }>`
    select place::int, request_hash, answer
    from unnest(${calls.map(({ ownerId }) => ownerId)}::uuid[], ${calls.map(({ key }) => key)}::text[])
        with ordinality as call (owner_id, key, place)
      join idempotent_answers using (owner_id, key)`.execute(db);
  return new Map(rows.map(({ place, ...stored }) => [calls[place - 1] as IdempotentCall, stored]));
}

/**
 * Stores the answers of several calls with one statement. False when another call with the same key has finished first, or when two
 * of these have the same key.
 */
export async function rememberAnswers(
  tx: Tx,
  answered: readonly { readonly call: IdempotentCall | null; readonly answer: unknown }[],
  now: Date,
): Promise<boolean> {
  const rows = answered.flatMap(({ call, answer }) => (call ? [{ ...call, answer }] : []));
  if (rows.length === 0) return true;
  // In one order, so that two transactions with the same keys do not wait for each other.
  const inserted = await sql`
    insert into idempotent_answers (owner_id, key, request_hash, answer, created_at)
    select owner_id, key, request_hash, answer, ${now} from unnest(
      ${rows.map(({ ownerId }) => ownerId)}::uuid[], ${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ requestHash }) => requestHash)}::text[], ${rows.map(({ answer }) => JSON.stringify(answer))}::jsonb[]
    ) as call (owner_id, key, request_hash, answer)
    order by key
    on conflict do nothing
    returning key`.execute(tx);
  return inserted.rows.length === rows.length;
}

/** Stores another answer of a call, in the transaction that remembered it. */
export async function replaceAnswer(
  tx: Tx,
  { ownerId, key }: IdempotentCall,
  answer: unknown,
): Promise<void> {
  await sql`
    update idempotent_answers set answer = ${JSON.stringify(answer)}::jsonb
    where owner_id = ${ownerId} and key = ${key}`.execute(tx);
}

export async function removeOldAnswers(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<', new Date(now.getTime() - answerAgeMaxMs))
    .execute();
}
