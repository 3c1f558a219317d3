import type { Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { Finding } from '../../engine/index.ts';
import { type ListPlace, workedOnStatuses } from '../../lists/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { countVerdicts } from '../metrics.store.ts';
import { emailLists, listAnswer } from './email-lists.ts';
import { type EvidencePlan, insertEvidence, packEvidence, planEvidence } from './evidence.store.ts';
import { isPartitionGone } from './large-lists.ts';
import { isSafe, safeCondition } from './safe-emails.ts';

export interface RowFinding extends Finding {
  readonly rowNumber: number;
}

/** The list takes no more results, because it was deleted or finished during its verification. */
export class ListGone extends Error {
  constructor() {
    super('The list is gone.');
  }
}

interface Written {
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

interface Writing {
  readonly findings: readonly RowFinding[];
  readonly evidence: EvidencePlan;
  readonly now: Date;
}

/**
 * Writes results, counters, metrics and, with the last result, the settlement, in one transaction. Rows that already have
 * a result change nothing, so a batch can be written again after a crash.
 * See docs/decisions/lists-results-inserted-once.md.
 */
export async function writeResults(
  parts: { readonly db: Db; readonly queue: JobQueue },
  place: ListPlace,
  findings: readonly RowFinding[],
  now: Date,
): Promise<Written> {
  const writing = { findings, evidence: planEvidence(findings.length), now };
  try {
    return await writeWith(insertNew, parts, place, writing);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return await writeWith(insertMissing, parts, place, writing);
  }
}

interface ResultCounts {
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly safe: number;
}

type Insert = (tx: Tx, place: ListPlace, writing: Writing) => Promise<ResultCounts>;

function writeWith(
  insertResults: Insert,
  { db, queue }: { readonly db: Db; readonly queue: JobQueue },
  place: ListPlace,
  writing: Writing,
): Promise<Written> {
  const { findings, evidence, now } = writing;
  // The commit waits for the disk: the job counts as done once its results are written, so a crash must not lose them.
  return runTransaction(db, async (tx) => {
    // Packs the evidence while the database writes the results.
    const [counts, packs] = await Promise.all([
      insertResults(tx, place, writing).catch(listGoneOrThrow),
      packEvidence(evidence, findings),
    ]);
    await insertEvidence(tx, place, packs);
    return countWritten(tx, queue, place, counts, now);
  });
}

function listGoneOrThrow(error: unknown): never {
  throw isPartitionGone(error) ? new ListGone() : error;
}

/** Counts results that were inserted in this transaction; the last one completes and settles the list. */
export async function countWritten(
  tx: Tx,
  queue: JobQueue,
  place: ListPlace,
  { verdicts, safe }: ResultCounts,
  now: Date,
): Promise<Written> {
  const list = await emailLists.count(tx, place, verdicts, now, { safe_emails: safe });
  // Throwing undoes the inserts: the deletion has already settled what had been counted.
  if (!list) throw new ListGone();
  const { ownerId } = place;
  // Metrics first, then the wallet, as when a list is created: the same order of locks everywhere.
  await emailLists
    .workOf(place, list)
    .count(() => countVerdicts(tx, { ownerId, askedAt: list.created_at }, verdicts));
  const step = await emailLists.advance(tx, place, list, now);
  if (step === 'complete') {
    const readData = async () => listAnswer(list);
    await queueEvent(tx, queue, { ownerId, type: 'list.completed', readData, now });
  }
  const run = { number: list.run_number, isWorkedOn: workedOnStatuses.includes(list.status) };
  return { isProgressPublished: step !== 'too soon', run };
}

/** The usual case: no row has a result yet. Without the conflict check this is nearly twice as fast. */
async function insertNew(tx: Tx, place: ListPlace, writing: Writing): Promise<ResultCounts> {
  await insertion(place, writing).execute(tx);
  const verdicts = noVerdicts();
  let safe = 0;
  for (const finding of writing.findings) {
    verdicts[finding.verdict] += 1;
    if (isSafe(finding)) safe += 1;
  }
  return { verdicts, safe };
}

/** After a crash, or next to a worker that seemed dead: some rows may have results. */
async function insertMissing(tx: Tx, place: ListPlace, writing: Writing): Promise<ResultCounts> {
  const { rows } = await sql<{ verdict: Verdict; count: number; safe: number }>`
    with written as (${insertion(place, writing)} on conflict do nothing returning verdict, flags)
    select verdict, count(*) as count, count(*) filter (where ${sql.raw(safeCondition)}) as safe
    from written group by verdict`.execute(tx);
  const verdicts = noVerdicts();
  let safe = 0;
  for (const row of rows) {
    verdicts[row.verdict] = row.count;
    safe += row.safe;
  }
  return { verdicts, safe };
}

export const noVerdicts = (): Record<Verdict, number> => ({ VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 });

/** In the order of rows, in which every writer inserts: two that write the same rows wait for each other and cannot deadlock. */
function insertion({ ownerId, listId }: ListPlace, { findings, evidence, now }: Writing) {
  const kinds = kindsOf(findings);
  const batchIds = numberArray(evidence.batchIds);
  const rowNumbers = numberArray(findings.map(({ rowNumber }) => rowNumber));
  const suggestions = findings.map(({ suggestion }) => suggestion);
  // Most batches have none, and a thousand nulls take time too.
  const hasSuggestion = suggestions.some((suggestion) => suggestion !== null);
  return sql`
    insert into list_results
      (owner_id, list_id, row_number, verdict, reason, flags, mx_provider, suggestion, batch_id, checked_at)
    select ${ownerId}, ${listId}, row_number, (${kinds.verdicts}::text[])[kind], (${kinds.reasons}::text[])[kind],
      (${numberArray(kinds.flags)}::smallint[])[kind], (${kinds.mxProviders}::text[])[kind],
      ${hasSuggestion ? sql`(${suggestions}::text[])[place]` : sql`null`},
      (${batchIds}::bigint[])[(place - 1) / ${evidence.packLength}::int + 1], ${now}
    from unnest(${rowNumbers}::int[], ${numberArray(kinds.numbers)}::int[])
      with ordinality as finding (row_number, kind, place)
    order by row_number`;
}

/** Sends what many results share once, and a number per result. Numbers start at 1, like SQL arrays. */
function kindsOf(findings: readonly RowFinding[]) {
  const numberOf = new Map<string, number>();
  const verdicts: Verdict[] = [];
  const reasons: string[] = [];
  const flagBits: number[] = [];
  const mxProviders: (string | null)[] = [];
  const numbers = findings.map(({ verdict, reason, flags, mxProvider }) => {
    const kind = `${reason} ${flags} ${mxProvider}`;
    const known = numberOf.get(kind);
    if (known !== undefined) return known;
    verdicts.push(verdict);
    reasons.push(reason);
    flagBits.push(flags);
    const number = mxProviders.push(mxProvider);
    numberOf.set(kind, number);
    return number;
  });
  return { numbers, verdicts, reasons, flags: flagBits, mxProviders };
}
