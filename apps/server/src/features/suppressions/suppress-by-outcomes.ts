import { setImmediate as nextTurn } from 'node:timers/promises';
import { SUPPRESSION_LIMITS, type SuppressionReason } from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { entryPages } from './entry-pages.ts';
import { findRemovals, lockChanges, type NewEntry, writeProved } from './suppressions.store.ts';
import { domainOfTarget, readTarget } from './target.ts';

/** What happened to a mail, as it is kept. */
interface JudgedOutcome {
  readonly email: string;
  readonly subject: string;
  readonly action: string;
  readonly reason: string;
  readonly at: Date;
  /** By how much the true moment may differ from `at`. */
  readonly slackSeconds: number;
}

interface OutcomeNews {
  readonly ownerId: AccountId;
  readonly outcomes: readonly JudgedOutcome[];
  readonly now: Date;
}

const dayMs = 86_400_000;
/** Few enough to read between two calls. */
const outcomesPerStep = 200;

/**
 * The reaction to outcomes: suppresses what they prove, and only where the judge says so. Repeating it changes nothing: an entry that
 * is there stays, and one that was removed after the outcome stays removed.
 */
export async function suppressByOutcomes(tx: Tx, { ownerId, outcomes, now }: OutcomeNews): Promise<void> {
  const proved: (NewEntry & { readonly earliest: Date })[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (index % outcomesPerStep === outcomesPerStep - 1) await nextTurn();
    const entry = entryOf(outcome);
    if (entry && (entry.endsAt === null || entry.endsAt > now))
      proved.push({ ...entry, earliest: earliestOf(outcome) });
  }
  if (proved.length === 0) return;
  const clock = await lockChanges(tx, ownerId);
  const removals = await findRemovals(
    tx,
    ownerId,
    proved.map(({ target }) => target),
  );
  const entries = new Map<string, NewEntry>();
  for (const { earliest, ...entry } of proved) {
    const removedAt = removals.get(entry.target);
    if (removedAt && earliest <= removedAt) continue;
    const before = entries.get(entry.target);
    if (!before || isLonger(entry, before)) entries.set(entry.target, entry);
  }
  // The outcomes themselves are kept in any case.
  const room = Math.max(0, SUPPRESSION_LIMITS.entriesPerAccount - clock.entries);
  let { last_number } = clock;
  for (const page of entryPages([...entries.values()].slice(0, room))) {
    const changes = { ...clock, last_number };
    last_number += (await writeProved(tx, page, { ownerId, source: 'outcome', clock: changes, now })).count;
  }
}

const earliestOf = ({ at, slackSeconds }: JudgedOutcome): Date =>
  new Date(at.getTime() - slackSeconds * 1_000);

const isLonger = (one: NewEntry, other: NewEntry): boolean =>
  other.endsAt !== null && (one.endsAt === null || one.endsAt > other.endsAt);

const reasonOf: Readonly<Record<string, SuppressionReason>> = {
  complaint: 'complaint',
  unsubscribed: 'unsubscribed',
};

function entryOf({ email, subject, action, reason, at }: JudgedOutcome): NewEntry | null {
  const target = action === 'suppress' ? readTarget(email) : null;
  if (target === null) return null;
  // A domain may come back under another owner.
  if (subject === 'domain') {
    const endsAt = new Date(at.getTime() + SUPPRESSION_LIMITS.deadDomainDays * dayMs);
    return { target: domainOfTarget(target), reason: 'dead_domain', endsAt };
  }
  return { target, reason: reasonOf[reason] ?? 'hard_bounce', endsAt: null };
}
