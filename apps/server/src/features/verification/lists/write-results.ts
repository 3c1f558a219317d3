import type { Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { StoredFinding } from '../../engine/index.ts';
import { type ListPlace, workedOnStatuses } from '../../lists/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { countVerdicts } from '../metrics.store.ts';
import { emailLists, listAnswer } from './email-lists.ts';
import { type EvidencePlan, insertEvidence, packEvidence, planEvidence } from './evidence.store.ts';
import { countKinds, type ResultKind } from './kinds.store.ts';
import { isPartitionGone } from './large-lists.ts';
import { isSafe } from './safe-emails.ts';

export interface RowFinding extends StoredFinding {
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

/** Returns the kinds of the results that it has inserted. */
type Insert = (tx: Tx, place: ListPlace, writing: Writing) => Promise<readonly ResultKind[]>;

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
    const [kinds, packs] = await Promise.all([
      insertResults(tx, place, writing).catch(listGoneOrThrow),
      packEvidence(evidence, findings),
    ]);
    await insertEvidence(tx, place, packs);
    return countWritten(tx, queue, place, kinds, now);
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
  kinds: readonly ResultKind[],
  now: Date,
): Promise<Written> {
  const { verdicts, safe } = sumUp(kinds);
  const list = await emailLists.count(tx, place, verdicts, now, { safe_emails: safe });
  // Throwing undoes the inserts: the deletion has already settled what had been counted.
  if (!list) throw new ListGone();
  await countKinds(tx, place, kinds);
  const { ownerId } = place;
  // Metrics first, then the wallet, as when a list is created: the same order of locks everywhere.
  if (!list.is_sandbox) await countVerdicts(tx, { ownerId, askedAt: list.created_at }, verdicts);
  const step = await emailLists.advance(tx, place, list, now);
  if (step === 'complete') {
    const readData = async () => listAnswer(list);
    await queueEvent(tx, queue, {
      ownerId,
      type: 'list.completed',
      workCreatedAt: list.created_at,
      readData,
      now,
    });
  }
  const run = { number: list.run_number, isWorkedOn: workedOnStatuses.includes(list.status) };
  return { isProgressPublished: step !== 'too soon', run };
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
async function insertNew(tx: Tx, place: ListPlace, writing: Writing): Promise<readonly ResultKind[]> {
  const { kinds, numbers } = kindsOf(writing.findings);
  await insertion(place, writing, { kinds, numbers }).execute(tx);
  return kinds;
}

/** After a crash, or next to a worker that seemed dead: some rows may have results. */
async function insertMissing(tx: Tx, place: ListPlace, writing: Writing): Promise<readonly ResultKind[]> {
  const { rows } = await sql<ResultKind>`
    with written as (
      ${insertion(place, writing, kindsOf(writing.findings))}
      on conflict do nothing returning verdict, reason, flags, mx_provider)
    select verdict, reason, flags, mx_provider as "mxProvider", count(*) as emails
    from written group by verdict, reason, flags, mx_provider`.execute(tx);
  return rows;
}

/** In the order of rows, in which every writer inserts: two that write the same rows wait for each other and cannot deadlock. */
function insertion(
  { ownerId, listId }: ListPlace,
  { findings, evidence, now }: Writing,
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
