import type { GuessOutcome } from '@assay/contract';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { publishEvent } from '../../platform/events/index.ts';
import { paidWork } from '../billing/index.ts';
import type { ListPlace } from '../lists/index.ts';
import { priceOf } from './guess-price.ts';
import { markGuessComplete, type OpenGuess } from './guesses.store.ts';
import { peopleLists } from './lists/people-lists.ts';
import type { GuessEnd } from './next-step.ts';
import { countProvedPattern } from './patterns.store.ts';

/** Writes the outcome, the learned pattern, counters, settlement and events in one transaction, once. */
export function completeGuess(db: Db, guess: OpenGuess, end: GuessEnd, now: Date): Promise<void> {
  return runTransaction(db, async (tx) => {
    const place = guess.listId === null ? null : { ownerId: guess.ownerId, listId: guess.listId };
    // Locks the list before its rows, in the same order as its deletion, so that the two cannot deadlock.
    if (place && !(await peopleLists.results.lockForResults(tx, place))) return;
    if (!(await markGuessComplete(tx, guess, end, now))) return;
    await learnFrom(tx, guess, end, now);
    if (place) await countInList(tx, place, end.outcome, now);
    else await settleSingle(tx, guess, end.outcome, now);
  });
}

/** A person with one name fits every pattern, so their address says nothing about the pattern of a company. */
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
  { ownerId, guessId, chargesEveryAnswer }: OpenGuess,
  outcome: GuessOutcome,
  now: Date,
): Promise<void> {
  await publishEvent(tx, ownerId, {
    event_type: 'guess_complete',
    event_metadata: { guess_outcome: outcome },
  });
  const work = paidWork({ kind: 'guess', ownerId, id: guessId });
  await work.settle(tx, priceOf(outcome, chargesEveryAnswer), now);
}

async function countInList(tx: Tx, place: ListPlace, outcome: GuessOutcome, now: Date): Promise<void> {
  const counts = { FOUND: 0, CATCH_ALL: 0, NOT_FOUND: 0, UNKNOWN: 0, [outcome]: 1 };
  const list = await peopleLists.results.count(tx, place, counts, now);
  if (list) await peopleLists.results.advance(tx, place, list, now);
}
