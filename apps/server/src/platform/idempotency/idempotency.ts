import type { Db, Tx } from '../database/database.ts';
import { AppError } from '../errors/index.ts';
import type { AccountId } from '../ids.ts';
import { findAnswers, type IdempotentCall, rememberAnswers, type StoredAnswer } from './answers.store.ts';
import { hashContents } from './hash-contents.ts';

export type { IdempotentCall };

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
