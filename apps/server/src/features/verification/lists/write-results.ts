import type { Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { publishEvent } from '../../../platform/events/publish.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { PaidWork } from '../../billing/index.ts';
import type { Finding } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { countVerdicts, type VerdictCounts } from '../metrics.store.ts';
import { type EvidencePlan, insertEvidence, packEvidence, planEvidence } from './evidence.store.ts';
import { listAnswer } from './list-answer.ts';
import { dueFor, listWork } from './list-work.ts';
import { findList, type ListRow } from './lists.store.ts';
import { type ListProgress, progressEveryMs, tellProgress } from './tell-progress.ts';

export interface RowFinding extends Finding {
  readonly rowNumber: number;
}

/** The list was deleted while it was being verified: nothing more is to be done for it. */
export class ListGone extends Error {
  constructor() {
    super('The list is gone.');
  }
}

interface Written {
  /** Otherwise it was told a moment ago. */
  readonly isProgressTold: boolean;
}

interface Writing {
  readonly findings: readonly RowFinding[];
  readonly evidence: EvidencePlan;
  readonly now: Date;
}

/**
 * Writes results, counters, metrics and, with the last result, the settlement, in one transaction. A row's result is
 * written once: rows that have one already change nothing, so a batch may be written again after a crash.
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

type Insert = (tx: Tx, place: ListPlace, writing: Writing) => Promise<VerdictCounts>;

function writeWith(
  insertResults: Insert,
  { db, queue }: { readonly db: Db; readonly queue: JobQueue },
  place: ListPlace,
  writing: Writing,
): Promise<Written> {
  const { findings, evidence, now } = writing;
  return runTransaction(db, async (tx) => {
    // Packed while the database writes the results.
    const [counts, packs] = await Promise.all([
      insertResults(tx, place, writing),
      packEvidence(evidence, findings),
    ]);
    await insertEvidence(tx, place, packs);
    const list = await addToCounters(tx, place, counts, now);
    // Throwing undoes the inserts: the deletion has already settled what had been counted.
    if (!list) throw new ListGone();
    const work = listWork(place, list);
    await work.count(() => countVerdicts(tx, { ownerId: place.ownerId, askedAt: list.created_at }, counts));
    if (list.completed < list.total_emails) {
      if (list.is_progress_due) await tellProgress(tx, place, list);
      return { isProgressTold: list.is_progress_due };
    }
    await completeList(tx, { queue, place, work, dueCredits: dueFor(list), now });
    return { isProgressTold: true };
  });
}

interface Completion {
  readonly queue: JobQueue;
  readonly place: ListPlace;
  readonly work: PaidWork;
  readonly dueCredits: number;
  readonly now: Date;
}

/** Ends a list: settles its credits and informs the customer. */
async function completeList(tx: Tx, { queue, place, work, dueCredits, now }: Completion): Promise<void> {
  await tx
    .updateTable('validation_lists')
    .set({ status: 'COMPLETE', completed_at: now })
    .where('owner_id', '=', place.ownerId)
    .where('id', '=', place.listId)
    .execute();
  await publishEvent(tx, place.ownerId, {
    event_type: 'list_complete',
    event_metadata: { list_id: place.listId, progress: 100 },
  });
  await work.settle(tx, dueCredits, now);
  await queueEvent(tx, queue, {
    ownerId: place.ownerId,
    type: 'list.completed',
    readData: async () => listAnswer(await findCompleted(tx, place)),
    now,
  });
}

async function findCompleted(tx: Tx, place: ListPlace): Promise<ListRow> {
  const list = await findList(tx, place);
  if (!list) throw new Error('A list that was completed in this transaction is not there.');
  return list;
}

/** The usual way: nobody has written any of them, which makes writing them nearly twice as quick. */
async function insertNew(tx: Tx, place: ListPlace, writing: Writing): Promise<VerdictCounts> {
  await insertion(place, writing).execute(tx);
  const counts = noVerdicts();
  for (const { verdict } of writing.findings) counts[verdict] += 1;
  return counts;
}

/** After a crash, or beside a worker that was thought dead: some may have been written. */
async function insertMissing(tx: Tx, place: ListPlace, writing: Writing): Promise<VerdictCounts> {
  const { rows } = await sql<{ verdict: Verdict; count: number }>`
    with written as (${insertion(place, writing)} on conflict do nothing returning verdict)
    select verdict, count(*) as count from written group by verdict`.execute(tx);
  const counts = noVerdicts();
  for (const row of rows) counts[row.verdict] = row.count;
  return counts;
}

const noVerdicts = (): Record<Verdict, number> => ({ VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 });

function insertion({ ownerId, listId }: ListPlace, { findings, evidence, now }: Writing) {
  const { rowNumbers, kinds, verdicts, reasons } = byKind(findings);
  const batchIds = numberArray(evidence.batchIds);
  return sql`
    insert into list_results (owner_id, list_id, row_number, verdict, reason, batch_id, checked_at)
    select ${ownerId}, ${listId}, row_number, (${verdicts}::text[])[kind], (${reasons}::text[])[kind],
      (${batchIds}::bigint[])[(place - 1) / ${evidence.packLength}::int + 1], ${now}
    from unnest(${rowNumbers}::int[], ${kinds}::int[]) with ordinality as finding (row_number, kind, place)`;
}

/** There are many results of a few kinds: numbers travel cheaper than words. Kinds count from 1, as SQL's arrays do. */
function byKind(findings: readonly RowFinding[]) {
  const kindOf = new Map<string, number>();
  const verdicts: Verdict[] = [];
  const reasons: string[] = [];
  const kinds = findings.map(({ verdict, reason }) => {
    const known = kindOf.get(reason);
    if (known !== undefined) return known;
    verdicts.push(verdict);
    kindOf.set(reason, reasons.push(reason));
    return reasons.length;
  });
  const rowNumbers = findings.map(({ rowNumber }) => rowNumber);
  return { rowNumbers: numberArray(rowNumbers), kinds: numberArray(kinds), verdicts, reasons };
}

interface CountedList extends ListProgress {
  readonly is_sandbox: boolean;
  readonly name: string;
  readonly created_at: Date;
  readonly is_progress_due: boolean;
}

// Every commit waits for the disk. A job is told as done, perhaps to a database that has crashed and come back meanwhile,
// once its results were written: they must not be lost in that crash.
async function addToCounters(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  counts: VerdictCounts,
  now: Date,
): Promise<CountedList | undefined> {
  const dueSince = new Date(now.getTime() - progressEveryMs);
  const { rows } = await sql<CountedList>`
    update validation_lists set
      valid_emails = valid_emails + ${counts.VALID},
      invalid_emails = invalid_emails + ${counts.INVALID},
      catch_all_emails = catch_all_emails + ${counts.CATCH_ALL},
      unknown_emails = unknown_emails + ${counts.UNKNOWN},
      progress_told_at = case when progress_told_at > ${dueSince} then progress_told_at else ${now} end
    where owner_id = ${ownerId} and id = ${listId} and status = 'PENDING'
    returning name, is_sandbox, created_at, total_emails,
      valid_emails, invalid_emails, catch_all_emails, unknown_emails,
      valid_emails + invalid_emails + catch_all_emails + unknown_emails as completed,
      progress_told_at = ${now} as is_progress_due`.execute(tx);
  return rows[0];
}
