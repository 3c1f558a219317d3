import type { TryAgain, Verifier } from '@assay/verifier';
import type { Db } from '../../platform/database/database.ts';
import { readDatabaseTime } from '../../platform/database/database-time.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import {
  deferralCountOf,
  hasPatience,
  laterJobs,
  type StoredDetail,
  storedFindingOf,
  suppressed,
  traceChecks,
  waitsOf,
  withBill,
} from '../engine/index.ts';
import { findSuppressed } from '../suppressions/index.ts';
import { completeGuess } from './complete-guess.ts';
import { type DomainLimitParts, domainLimitReached, takePlaceAtDomain } from './domain-limit.ts';
import { findOpenGuesses, lockPending, markBegun, type OpenGuess, saveTries } from './guesses.store.ts';
import { type ProvePayload, proveDeferredJob } from './guessing.jobs.ts';
import type { StoredTry } from './guessing.tables.ts';
import { peopleLists } from './lists/people-lists.ts';
import { nextStep } from './next-step.ts';
import { type Candidate, rankCandidates } from './patterns/rank-candidates.ts';
import { findLearnedPatterns } from './patterns.store.ts';

export interface ProveWork extends DomainLimitParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly egress: string;
}

/** An address to verify, in the engine's form. */
interface Ask {
  readonly email: string;
  readonly rowNumber: number;
  readonly guess: OpenGuess;
  readonly candidate: Candidate;
}

/**
 * Verifies the likely addresses of people in rounds, one address per person and round. The people of a round share
 * connections, and each round ranks with what the last one proved. Every try is stored at once, so a worker that dies
 * loses only the answers in progress.
 */
export async function proveGuesses(
  work: ProveWork,
  payload: ProvePayload,
  signal: AbortSignal,
): Promise<void> {
  const { since, ownerId: customer } = payload;
  const deferralCount = deferralCountOf(payload);
  const options = { deferrals: 'return', deferralCount, customer, signal } as const;
  const deferred: TryAgain<Ask>[] = [];
  let open = await beginGuesses(work, await findOpenGuesses(work.db, payload));
  while (open.length > 0) {
    const asks = await planRound(work, open);
    const nextIds: string[] = [];
    let findingCount = 0;
    await withBill(work.db, { ownerId: customer, listId: open[0]?.listId ?? null }, async (bill) => {
      for await (const finding of work.verifier.verifyAll(asks, { ...options, bill })) {
        findingCount += 1;
        const { guess, candidate } = finding.item;
        traceChecks([finding], work.clock.now(), ({ rowNumber }) => rowNumber);
        if (finding.kind === 'try_again' && mayBeDeferred(work, finding, since)) {
          deferred.push(finding);
          continue;
        }
        const tried: StoredTry = {
          emailAddress: finding.email,
          pattern: candidate.pattern,
          ...readableFindingOf(finding),
        };
        const tries = [...guess.tries, tried];
        if (await saveTries(work.db, guess, tries)) nextIds.push(guess.guessId);
      }
    });
    signal.throwIfAborted();
    // The job must not count as complete: its list would wait for these people for ever.
    if (findingCount < asks.length) throw new Error('The engine ended before every person had an answer.');
    // Finds none when the list was paused, finished or deleted during the round.
    open = nextIds.length === 0 ? [] : await findOpenGuesses(work.db, { ...payload, guessIds: nextIds });
  }
  await askAgainLater(work, payload, deferred);
}

/** Starts new guesses. A person of a list counts towards the limit of their domain here. */
async function beginGuesses(work: ProveWork, guesses: readonly OpenGuess[]): Promise<OpenGuess[]> {
  const begun: OpenGuess[] = [];
  for (const guess of guesses) begun.push(guess.isBegun ? guess : await beginGuess(work, guess));
  return begun;
}

function beginGuess(work: ProveWork, guess: OpenGuess): Promise<OpenGuess> {
  return work.db.transaction().execute(async (tx) => {
    if (!(await lockPending(tx, guess))) return guess;
    // A single guess counted towards the limit when it was requested.
    const hasPlace = guess.listId === null || (await takePlaceAtDomain(tx, work, guess));
    const reason = hasPlace ? null : domainLimitReached;
    await markBegun(tx, guess, reason);
    return { ...guess, reason };
  });
}

/** The next address of each person. Completes the guesses that have none. */
async function planRound({ db, clock, limits }: ProveWork, open: readonly OpenGuess[]): Promise<Ask[]> {
  const learned = await findLearnedPatterns(
    db,
    open.map(({ domain }) => domain),
  );
  const asks: Ask[] = [];
  for (const guess of open) {
    if (guess.reason === domainLimitReached) {
      await completeGuess(db, guess, unknownFor(domainLimitReached), clock.now());
      continue;
    }
    const candidates = rankCandidates(guess, guess.domain, learned.get(guess.domain) ?? new Map());
    const step = nextStep(candidates, guess.tries, limits);
    if (step.kind === 'end') await completeGuess(db, guess, step.end, clock.now());
    else
      asks.push({
        email: step.candidate.emailAddress,
        rowNumber: guess.rowNumber,
        guess,
        candidate: step.candidate,
      });
  }
  return leaveOutSuppressed({ db, clock }, asks);
}

const unknownFor = (reason: string) =>
  ({ outcome: 'UNKNOWN', emailAddress: null, reason, decidedBy: null }) as const;

/** Ends guesses whose likeliest address is suppressed: asking for less likely ones would find somebody else. */
async function leaveOutSuppressed(
  { db, clock }: Pick<ProveWork, 'db' | 'clock'>,
  asks: readonly Ask[],
): Promise<Ask[]> {
  const [first] = asks;
  if (!first) return [];
  const targetsOf = ({ email, guess }: Ask) => [email.toLowerCase(), guess.domain];
  const whose = { ownerId: first.guess.ownerId, now: clock.now() };
  const found = new Set(await findSuppressed(db, whose, [...new Set(asks.flatMap(targetsOf))]));
  const asked: Ask[] = [];
  for (const ask of asks) {
    const isLeftOut = targetsOf(ask).some((target) => found.has(target));
    if (isLeftOut) await completeGuess(db, ask.guess, unknownFor(suppressed), clock.now());
    else asked.push(ask);
  }
  return asked;
}

/** The patience is that of verification: for a single, or for a list. */
function mayBeDeferred(
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
  { ownerId, since, run }: ProvePayload,
  deferred: readonly TryAgain<Ask>[],
): Promise<void> {
  if (deferred.length === 0) return;
  const deferredSince = since === undefined ? clock.now() : new Date(since);
  // A job has people of one list, or a single guess.
  const listId = deferred[0]?.item.guess.listId ?? null;
  const jobs = laterJobs(deferred, (asks, attempts) => ({
    ownerId,
    ...(listId !== null && { listId }),
    guessIds: asks.map(({ guess }) => guess.guessId),
    since: deferredSince.toISOString(),
    attempts,
    ...(run !== undefined && { run }),
  }));
  await db.transaction().execute(async (tx) => {
    await queue.enqueueMany(tx, proveDeferredJob(egress), jobs);
    if (listId !== null) {
      const waits = waitsOf(deferred, { now: await readDatabaseTime(tx), since: deferredSince });
      await peopleLists.results.deferRows(tx, { ownerId, listId }, run ?? 0, waits);
    }
  });
}

function readableFindingOf(finding: Parameters<typeof storedFindingOf>[0]) {
  const stored = storedFindingOf(finding);
  return { ...stored, detail: JSON.parse(stored.detail) as StoredDetail };
}
