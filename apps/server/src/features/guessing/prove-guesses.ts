import type { TryAgain, Verifier } from '@assay/verifier';
import type { Db } from '../../platform/database/database.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { findingOf, hasPatience, laterJobs, type StoredDetail } from '../engine/index.ts';
import { completeGuess } from './complete-guess.ts';
import { type DomainLimitParts, domainLimitReached, takePlaceAtDomain } from './domain-limit.ts';
import { findOpenGuesses, markBegun, noteReason, type OpenGuess, saveTries } from './guesses.store.ts';
import { type ProvePayload, proveDeferredJob } from './guessing.jobs.ts';
import type { StoredTry } from './guessing.tables.ts';
import { nextStep } from './next-step.ts';
import { type Candidate, rankCandidates } from './patterns/rank-candidates.ts';
import { findLearnedPatterns } from './patterns.store.ts';

export interface ProveWork extends DomainLimitParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly egress: string;
}

/** An address to be asked for, as the engine takes it. */
interface Ask {
  readonly email: string;
  readonly guess: OpenGuess;
  readonly candidate: Candidate;
}

/**
 * Proves the likely addresses of people, each person's one after the other, those of all in rounds, so that connections
 * are shared and every round ranks by what the one before has taught. What was asked is kept at once: a worker that dies
 * loses at most the answers that were under way.
 */
export async function proveGuesses(
  work: ProveWork,
  { ownerId, guessIds, since }: ProvePayload,
  signal: AbortSignal,
): Promise<void> {
  const putOff: TryAgain<Ask>[] = [];
  let open = await beginGuesses(work, await findOpenGuesses(work.db, ownerId, guessIds));
  while (open.length > 0) {
    const asks = await planRound(work, open);
    open = [];
    for await (const outcome of work.verifier.verifyAll(asks, { deferrals: 'return', signal })) {
      const { guess, candidate } = outcome.item;
      if (outcome.kind === 'try_again' && mayBePutOff(work, outcome, since)) {
        putOff.push(outcome);
        continue;
      }
      const tried: StoredTry = {
        emailAddress: outcome.email,
        pattern: candidate.pattern,
        ...storedFindingOf(outcome),
      };
      const tries = [...guess.tries, tried];
      if (await saveTries(work.db, guess, tries)) open.push({ ...guess, tries });
    }
    signal.throwIfAborted();
  }
  await askAgainLater(work, ownerId, putOff, since);
}

/** Takes up guesses that nobody has begun. In a list this is where a person takes a place at their domain. */
async function beginGuesses(work: ProveWork, guesses: readonly OpenGuess[]): Promise<OpenGuess[]> {
  const begun: OpenGuess[] = [];
  for (const guess of guesses) begun.push(guess.isBegun ? guess : await beginGuess(work, guess));
  return begun;
}

function beginGuess(work: ProveWork, guess: OpenGuess): Promise<OpenGuess> {
  return work.db.transaction().execute(async (tx) => {
    const isFirst = await markBegun(tx, guess);
    // A single guess took its place when it was asked for.
    if (!isFirst || guess.listId === null || (await takePlaceAtDomain(tx, work, guess))) return guess;
    await noteReason(tx, guess, domainLimitReached);
    return { ...guess, reason: domainLimitReached };
  });
}

/** The next address of each person; those who have no next one are complete. */
async function planRound({ db, clock, limits }: ProveWork, open: readonly OpenGuess[]): Promise<Ask[]> {
  const learned = await findLearnedPatterns(
    db,
    open.map(({ domain }) => domain),
  );
  const asks: Ask[] = [];
  for (const guess of open) {
    if (guess.reason === domainLimitReached) {
      const end = {
        outcome: 'UNKNOWN',
        emailAddress: null,
        reason: domainLimitReached,
        decidedBy: null,
      } as const;
      await completeGuess(db, guess, end, clock.now());
      continue;
    }
    const candidates = rankCandidates(guess, guess.domain, learned.get(guess.domain) ?? new Map());
    const step = nextStep(candidates, guess.tries, limits);
    if (step.kind === 'end') await completeGuess(db, guess, step.end, clock.now());
    else asks.push({ email: step.candidate.emailAddress, guess, candidate: step.candidate });
  }
  return asks;
}

/** As for verifying: a single person is waited for as a single address is, and those of a list as a list's. */
function mayBePutOff(
  { clock }: ProveWork,
  { item, afterMs }: TryAgain<Ask>,
  since: string | undefined,
): boolean {
  const now = clock.now();
  const kind = item.guess.listId === null ? 'single' : 'list';
  return hasPatience(kind, { now, since: since === undefined ? now : new Date(since), afterMs });
}

async function askAgainLater(
  { db, clock, queue, egress }: ProveWork,
  ownerId: string,
  putOff: readonly TryAgain<Ask>[],
  since: string | undefined,
): Promise<void> {
  if (putOff.length === 0) return;
  const now = clock.now();
  const jobs = laterJobs(putOff, now, (asks) => ({
    ownerId,
    guessIds: asks.map(({ guess }) => guess.guessId),
    since: since ?? now.toISOString(),
  }));
  await db.transaction().execute((tx) => queue.enqueueMany(tx, proveDeferredJob(egress), jobs));
}

function storedFindingOf(outcome: Parameters<typeof findingOf>[0]) {
  const finding = findingOf(outcome);
  return { ...finding, detail: JSON.parse(finding.detail) as StoredDetail };
}
