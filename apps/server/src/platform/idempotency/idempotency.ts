import type { AccountId } from '../ids.ts';
import './idempotency.tables.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import { AppError } from '../errors/index.ts';
import { hashContents } from './hash-contents.ts';

/** The `Idempotency-Key` of a call that costs credits, and a hash of its contents. */
export interface IdempotentCall {
  readonly ownerId: AccountId;
  readonly key: string;
  readonly requestHash: string;
}

/** How long a repeated call gets the same answer. */
const answerAgeMaxMs = 24 * 3_600_000;
const keyShape = /^[\x21-\x7e]{1,255}$/;

/** Null when the caller sent no key. */
export function readIdempotentCall(
  ownerId: AccountId,
  header: string | string[] | undefined,
  contents: unknown,
): IdempotentCall | null {
  return header === undefined ? null : readHashedCall(ownerId, header, hashContents(contents));
}

/** The same for contents that are already hashed. */
export function readHashedCall(
  ownerId: AccountId,
  header: string | string[] | undefined,
  requestHash: string,
): IdempotentCall | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !keyShape.test(header)) throw new AppError('invalid_idempotency_key');
  return { ownerId, key: header, requestHash };
}

interface StoredAnswer {
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

/** The answer that belongs to the call, or null. Throws if the key was used for another call. */
export function answerOf<Answer>(call: IdempotentCall, stored: StoredAnswer | undefined): Answer | null {
  if (!stored) return null;
  if (stored.request_hash !== call.requestHash) throw new AppError('idempotency_key_reused');
  return stored.answer as Answer;
}

async function findAnswer<Answer>(db: Db, call: IdempotentCall | null): Promise<Answer | null> {
  return call && answerOf<Answer>(call, (await findAnswers(db, [call])).get(call));
}

/**
 * Stores the answer in the transaction that does the work. False when another call with the same key has finished first;
 * the caller must then roll this transaction back.
 */
export function rememberAnswer(
  tx: Tx,
  call: IdempotentCall | null,
  answer: unknown,
  now: Date,
): Promise<boolean> {
  return rememberAnswers(tx, [{ call, answer }], now);
}

/** The same for several calls with one statement. False also when two of them have the same key. */
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

/** Rolls back the slower of two calls with the same key. */
export class TwinWasQuicker extends Error {}

/**
 * Runs `work` unless a call with the same key has an answer already. If it fails, a parallel call with the same key may be the
 * reason, because it spent the last credit or used the upload: both calls then get its answer.
 */
export async function orTwinsAnswer<Answer>(
  db: Db,
  call: IdempotentCall | null,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const before = await findAnswer<Answer>(db, call);
  if (before) return before;
  try {
    return await work();
  } catch (error) {
    const answer = await findAnswer<Answer>(db, call);
    if (answer) return answer;
    throw error;
  }
}

/** Runs a call in one transaction, once per key. Every call with the key gets the first answer. */
export function answerOnce<Answer>(
  db: Db,
  call: IdempotentCall | null,
  now: Date,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  return orTwinsAnswer(db, call, () =>
    db.transaction().execute(async (tx) => {
      const answer = await work(tx);
      if (!(await rememberAnswer(tx, call, answer, now))) throw new TwinWasQuicker();
      return answer;
    }),
  );
}

export async function removeOldAnswers(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<', new Date(now.getTime() - answerAgeMaxMs))
    .execute();
}
