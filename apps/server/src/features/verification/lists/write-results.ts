import type { Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { type Bill, type StoredFinding, saveBills } from '../../engine/index.ts';
import { type CountedList, type ListPlace, workedOnStatuses } from '../../lists/index.ts';
import { queueEvents } from '../../webhooks/index.ts';
import { countVerdictsOf, type VerdictCounts } from '../metrics.store.ts';
import { type EmailListRow, emailLists, listAnswer } from './email-lists.ts';
import { type EvidencePlan, insertEvidence, packEvidence, planEvidence } from './evidence.store.ts';
import { countKinds, type ResultKind } from './kinds.store.ts';
import { isPartitionGone } from './large-lists.ts';
import { isSafe } from './safe-emails.ts';

export interface RowFinding extends StoredFinding {
  readonly rowNumber: number;
  /** What was asked since results were last written; the first result of a batch carries it. */
  readonly bill?: Bill;
}

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

export interface ListFindings {
  readonly place: ListPlace;
  readonly findings: readonly RowFinding[];
}

interface Writing extends ListFindings {
  readonly evidence: EvidencePlan;
  readonly now: Date;
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

/** The usual case: no row has a result yet. Without the conflict check this is nearly twice as fast. */
async function insertNew(tx: Tx, writing: Writing): Promise<readonly ResultKind[]> {
  const { kinds, numbers } = kindsOf(writing.findings);
  await insertion(writing, { kinds, numbers }).execute(tx);
  return kinds;
}

/** After a crash, or next to a worker that seemed dead: some rows may have results. */
async function insertMissing(tx: Tx, writing: Writing): Promise<readonly ResultKind[]> {
  const { rows } = await sql<ResultKind>`
    with written as (
      ${insertion(writing, kindsOf(writing.findings))}
      on conflict do nothing returning verdict, reason, flags, mx_provider)
    select verdict, reason, flags, mx_provider as "mxProvider", count(*) as emails
    from written group by verdict, reason, flags, mx_provider`.execute(tx);
  return rows;
}

/** In the order of rows, in which every writer inserts: two that write the same rows wait for each other and cannot deadlock. */
function insertion(
  { place: { ownerId, listId }, findings, evidence, now }: Writing,
  { kinds, numbers }: ReturnType<typeof kindsOf>,
) {
  const batchIds = numberArray(evidence.batchIds);
  const rowNumbers = numberArray(findings.map(({ rowNumber }) => rowNumber));
  const suggestions = findings.map(({ suggestion }) => suggestion);
  // Most batches have none, and a thousand nulls take time too.
  const hasSuggestion = suggestions.some((suggestion) => suggestion !== null);
  return sql`
    insert into list_results
      (owner_id, list_id, row_number, verdict, reason, flags, mx_provider, suggestion, batch_id, checked_at)
    select ${ownerId}, ${listId}, row_number, (${kinds.map(({ verdict }) => verdict)}::text[])[kind],
      (${kinds.map(({ reason }) => reason)}::text[])[kind], (${kinds.map(({ flags }) => flags)}::smallint[])[kind],
      (${kinds.map(({ mxProvider }) => mxProvider)}::text[])[kind],
      ${hasSuggestion ? sql`(${suggestions}::text[])[place]` : sql`null`},
      (${batchIds}::bigint[])[(place - 1) / ${evidence.packLength}::int + 1], ${now}
    from unnest(${rowNumbers}::int[], ${numberArray(numbers)}::int[])
      with ordinality as finding (row_number, kind, place)
    order by row_number`;
}

/** Sends what many results share once, and a number per result. Numbers start at 1, like SQL arrays. */
function kindsOf(findings: readonly RowFinding[]) {
  const numberOf = new Map<string, number>();
  const kinds: (ResultKind & { emails: number })[] = [];
  const numbers = findings.map(({ verdict, reason, flags, mxProvider }) => {
    const key = `${reason} ${flags} ${mxProvider}`;
    const number = numberOf.get(key) ?? kinds.push({ verdict, reason, flags, mxProvider, emails: 0 });
    numberOf.set(key, number);
    const kind = kinds[number - 1];
    if (kind) kind.emails += 1;
    return number;
  });
  return { kinds, numbers };
}
