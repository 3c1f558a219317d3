import type { GuessOutcome } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { publishEvent } from '../../platform/events/index.ts';
import { paidWork } from '../billing/index.ts';
import { progressOf } from '../lists/index.ts';
import { markGuessComplete, type OpenGuess } from './guesses.store.ts';
import { type GuessListPlace, lockRunningList } from './lists/guess-lists.store.ts';
import type { GuessEnd } from './next-step.ts';
import { countProvedPattern } from './patterns.store.ts';

/** All workers together tell a list's progress at most ten times a second. */
const progressEveryMs = 100;

/** The outcome, what it teaches, the counters, the settlement and the news of it, together or not at all, and once. */
export function completeGuess(db: Db, guess: OpenGuess, end: GuessEnd, now: Date): Promise<void> {
  return runTransaction(db, async (tx) => {
    // The list is locked before its rows, as by whoever deletes it: one of the two waits, and neither for ever.
    if (guess.listId !== null && !(await lockRunningList(tx, { ...guess, listId: guess.listId }))) return;
    if (!(await markGuessComplete(tx, guess, end, now))) return;
    await learnFrom(tx, guess, end, now);
    if (guess.listId === null) await settleSingle(tx, guess, end.outcome, now);
    else await countInList(tx, { ...guess, listId: guess.listId }, end.outcome, now);
  });
}

/** Whoever has one name has it in any company's pattern: their address teaches nothing about the others'. */
async function learnFrom(
  tx: Tx,
  guess: OpenGuess,
  { outcome, decidedBy }: GuessEnd,
  now: Date,
): Promise<void> {
  if (outcome !== 'FOUND' || decidedBy === null || guess.lastName === '' || guess.firstName === '') return;
  await countProvedPattern(tx, guess.domain, decidedBy.pattern, now);
}

async function settleSingle(
  tx: Tx,
  { ownerId, guessId }: OpenGuess,
  outcome: GuessOutcome,
  now: Date,
): Promise<void> {
  await publishEvent(tx, ownerId, {
    event_type: 'guess_complete',
    event_metadata: { guess_outcome: outcome },
  });
  const work = paidWork({ kind: 'guess', ownerId, id: guessId });
  await work.settle(tx, outcome === 'FOUND' ? 1 : 0, now);
}

interface CountedList {
  readonly total_people: number;
  readonly completed: number;
  readonly found: number;
  readonly catch_all: number;
  readonly not_found: number;
  readonly unknown: number;
  readonly is_progress_due: boolean;
}

async function countInList(
  tx: Tx,
  { ownerId, listId }: GuessListPlace,
  outcome: GuessOutcome,
  now: Date,
): Promise<void> {
  const dueSince = new Date(now.getTime() - progressEveryMs);
  const one = (counted: GuessOutcome) => (outcome === counted ? 1 : 0);
  const { rows } = await sql<CountedList>`
    update guess_lists set
      found = found + ${one('FOUND')}, catch_all = catch_all + ${one('CATCH_ALL')},
      not_found = not_found + ${one('NOT_FOUND')}, unknown = unknown + ${one('UNKNOWN')},
      progress_told_at = case when progress_told_at > ${dueSince} then progress_told_at else ${now} end
    where owner_id = ${ownerId} and id = ${listId}
    returning total_people, found, catch_all, not_found, unknown, found + catch_all + not_found + unknown as completed,
      progress_told_at = ${now} as is_progress_due`.execute(tx);
  const [list] = rows;
  if (!list) return;
  if (list.completed === list.total_people) return completeList(tx, { ownerId, listId }, list.found, now);
  if (!list.is_progress_due) return;
  const { found, catch_all, not_found, unknown } = list;
  await publishEvent(tx, ownerId, {
    event_type: 'guess_list_progress',
    event_metadata: {
      list_id: listId,
      progress: progressOf(list.completed, list.total_people),
      guess_metrics: { found, catch_all, not_found, unknown },
    },
  });
}

async function completeList(
  tx: Tx,
  { ownerId, listId }: GuessListPlace,
  found: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('guess_lists')
    .set({ status: 'COMPLETE', completed_at: now })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .execute();
  await publishEvent(tx, ownerId, {
    event_type: 'guess_list_complete',
    event_metadata: { list_id: listId, progress: 100 },
  });
  await paidWork({ kind: 'guess-list', ownerId, id: listId }).settle(tx, found, now);
}
