import type { Verdict } from '@assay/contract';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { saveBills } from '../../engine/index.ts';
import { type CountedList, type ListPlace, workedOnStatuses } from '../../lists/index.ts';
import { queueEvents } from '../../webhooks/index.ts';
import { countVerdictsOf, type VerdictCounts } from '../metrics.store.ts';
import { insertEvidence, packEvidence, planEvidence } from '../rows/evidence.store.ts';
import { countKinds, type ResultKind } from '../rows/kinds.store.ts';
import { isPartitionGone } from '../rows/large-lists.store.ts';
import {
  insertMissing,
  insertNew,
  type ListFindings,
  type RowFinding,
  type Writing,
} from '../rows/results.store.ts';
import { isSafe } from '../rows/safe-emails.ts';
import { type EmailListRow, emailLists, listAnswer } from './email-lists.ts';

/** The list takes no more results, because it was deleted or finished during its verification. */
export class ListGone extends Error {
  constructor() {
    super('The list is gone.');
  }
}

export interface Written {
  readonly at: Date;
  /** False when an update was published a moment ago. */
  readonly isProgressPublished: boolean;
  readonly run: RunSeen;
}

/** The run of a list that a write found. */
export interface RunSeen {
  readonly number: number;
  /** Whether workers go on with it. */
  readonly isWorkedOn: boolean;
}

interface WriteParts {
  readonly db: Db;
  readonly queue: JobQueue;
}

/**
 * Writes results, counters, metrics and, with the last result, the settlement, in one transaction. Rows that already have
 * a result change nothing, so a batch can be written again after a crash.
 * See docs/decisions/lists-results-inserted-once.md.
 */
export async function writeResults(
  parts: WriteParts,
  place: ListPlace,
  findings: readonly RowFinding[],
  now: Date,
): Promise<Written> {
  const [written] = await writeResultsOf(parts, [{ place, findings }], now);
  return written as Written;
}

/** The same for lists of one customer: what they all change is locked once, at the end. */
export async function writeResultsOf(
  parts: WriteParts,
  lists: readonly ListFindings[],
  now: Date,
): Promise<Written[]> {
  // In one order, so that two workers with the same lists do not wait for each other.
  const inOrder = lists.toSorted((left, right) => (left.place.listId < right.place.listId ? -1 : 1));
  const writings = inOrder.map(
    (list): Writing => ({ ...list, evidence: planEvidence(list.findings.length), now }),
  );
  const written = await writeWith(insertNew, parts, writings, now).catch((error) => {
    if (!isUniqueViolation(error)) throw error;
    return writeWith(insertMissing, parts, writings, now);
  });
  return lists.map((list) => written[inOrder.indexOf(list)] as Written);
}

/** Returns the kinds of the results that it has inserted. */
type Insert = (tx: Tx, writing: Writing) => Promise<readonly ResultKind[]>;

function writeWith(
  insertResults: Insert,
  { db, queue }: WriteParts,
  writings: readonly Writing[],
  now: Date,
): Promise<Written[]> {
  // The commit waits for the disk: the job counts as done once its results are written, so a crash must not lose them.
  return runTransaction(db, async (tx) => {
    const counted: WrittenKinds[] = [];
    for (const writing of writings) {
      const { place, evidence, findings } = writing;
      // Packs the evidence while the database writes the results.
      const [kinds, packs] = await Promise.all([
        insertResults(tx, writing).catch(listGoneOrThrow),
        packEvidence(evidence, findings),
      ]);
      await insertEvidence(tx, place, packs);
      await saveBills(
        tx,
        findings.flatMap(({ bill }) => (bill === undefined ? [] : [{ ...place, bill }])),
      );
      counted.push({ place, kinds });
    }
    return countWritten(tx, queue, counted, now);
  });
}

function listGoneOrThrow(error: unknown): never {
  throw isPartitionGone(error) ? new ListGone() : error;
}

interface WrittenKinds {
  readonly place: ListPlace;
  readonly kinds: readonly ResultKind[];
}

/** Counts results of one customer's lists that were inserted in this transaction; the last one of a list completes and settles it. */
export async function countWritten(
  tx: Tx,
  queue: JobQueue,
  written: readonly WrittenKinds[],
  now: Date,
): Promise<Written[]> {
  const { ownerId } = (written[0] as WrittenKinds).place;
  const lists: CountedList<EmailListRow>[] = [];
  const asked: { readonly askedAt: Date; readonly counts: VerdictCounts }[] = [];
  for (const { place, kinds } of written) {
    const { verdicts, safe } = sumUp(kinds);
    const list = await emailLists.results.count(tx, place, verdicts, now, { safe_emails: safe });
    // Throwing undoes the inserts: the deletion has already settled what had been counted.
    if (!list) throw new ListGone();
    await countKinds(tx, place, kinds);
    lists.push(list);
    if (!list.is_sandbox) asked.push({ askedAt: list.created_at, counts: verdicts });
  }
  // Metrics first, then the wallet, as when a list is created: the same order of locks everywhere.
  await countVerdictsOf(tx, ownerId, asked);
  const steps = await emailLists.results.advanceTogether(tx, ownerId, lists, now);
  const complete = lists.filter((_, at) => steps[at] === 'complete');
  if (complete.length > 0) {
    await queueEvents(tx, queue, {
      ownerId,
      type: 'list.completed',
      works: complete.map((list) => ({
        workCreatedAt: list.created_at,
        readData: async () => listAnswer(list),
      })),
      now,
    });
  }
  return lists.map(({ run_number, status }, at) => ({
    at: now,
    isProgressPublished: steps[at] !== 'too soon',
    run: { number: run_number, isWorkedOn: workedOnStatuses.includes(status) },
  }));
}

function sumUp(kinds: readonly ResultKind[]) {
  const verdicts: Record<Verdict, number> = { VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 };
  let safe = 0;
  for (const kind of kinds) {
    verdicts[kind.verdict] += kind.emails;
    if (isSafe(kind)) safe += kind.emails;
  }
  return { verdicts, safe };
}
