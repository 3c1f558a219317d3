import type { RealtimeEvent, Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/publish.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { captureHold } from '../../billing/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { countVerdicts, type VerdictCounts } from '../metrics.store.ts';
import type { Finding } from '../verification/finding.ts';
import type { ListPlace } from './copy-rows.ts';
import { listAnswer } from './list-answer.ts';
import { progressOf } from './list-progress.ts';
import { findList, type ListRow } from './lists.store.ts';

export interface RowFinding extends Finding {
  readonly rowNumber: number;
}

/** All workers together tell a list's progress at most ten times a second. */
const progressEveryMs = 100;

/** The list was deleted while it was being verified: nothing more is to be done for it. */
export class ListGone extends Error {
  constructor() {
    super('The list is gone.');
  }
}

/**
 * Writes results, counters, metrics and, with the last result, the settlement, in one transaction. A row's result is
 * written once: rows that have one already change nothing, so a batch may be written again after a crash.
 */
export function writeResults(
  { db, queue }: { readonly db: Db; readonly queue: JobQueue },
  place: ListPlace,
  findings: readonly RowFinding[],
  now: Date,
): Promise<{ isComplete: boolean }> {
  return db.transaction().execute(async (tx) => {
    const counts = await insertResults(tx, place, findings, now);
    const list = await addToCounters(tx, place, counts, now);
    // Throwing undoes the inserts: the deletion has already settled what had been counted.
    if (!list) throw new ListGone();
    if (!list.is_sandbox) {
      await countVerdicts(tx, { ownerId: place.ownerId, askedAt: list.created_at }, counts);
    }
    if (list.completed < list.total_emails) {
      if (list.is_progress_due) await publishEvent(tx, place.ownerId, progressEvent(place, list));
      return { isComplete: false };
    }
    await completeList(tx, queue, place, list, now);
    return { isComplete: true };
  });
}

/** Ends a list: takes what is due, gives the rest back, tells the customer. */
async function completeList(
  tx: Tx,
  queue: JobQueue,
  place: ListPlace,
  list: Pick<CountedList, 'is_sandbox' | 'due'>,
  now: Date,
): Promise<void> {
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
  if (!list.is_sandbox) await settle(tx, place, list.due, now);
  await queueEvent(tx, queue, {
    ownerId: place.ownerId,
    type: 'list.completed',
    readData: async () => listAnswer(await findCompleted(tx, place)),
    now,
  });
}

/** The list's one entry in the ledger. */
async function settle(tx: Tx, place: ListPlace, dueCredits: number, now: Date): Promise<void> {
  await publishEvent(tx, place.ownerId, { event_type: 'refresh_billing', event_metadata: {} });
  await captureHold(tx, {
    ownerId: place.ownerId,
    reference: `list:${place.listId}`,
    dueCredits,
    category: 'VERIFICATION',
    source: 'LIST',
    description: 'List verification',
    now,
  });
}

async function findCompleted(tx: Tx, place: ListPlace): Promise<ListRow> {
  const list = await findList(tx, place);
  if (!list) throw new Error('A list that was completed in this transaction is not there.');
  return list;
}

async function insertResults(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  findings: readonly RowFinding[],
  now: Date,
): Promise<VerdictCounts> {
  const { rows } = await sql<{ verdict: Verdict; count: number }>`
    with written as (
      insert into list_results (owner_id, list_id, row_number, verdict, reason, detail, checked_at)
      select ${ownerId}, ${listId}, row_number, verdict, reason, detail::jsonb, ${now}
      from unnest(${findings.map((finding) => finding.rowNumber)}::int[],
        ${findings.map((finding) => finding.verdict)}::text[],
        ${findings.map((finding) => finding.reason)}::text[],
        ${findings.map((finding) => JSON.stringify(finding.detail))}::text[])
        as finding (row_number, verdict, reason, detail)
      on conflict do nothing
      returning verdict
    )
    select verdict, count(*) as count from written group by verdict`.execute(tx);
  const counts = { VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 };
  for (const row of rows) counts[row.verdict] = row.count;
  return counts;
}

interface CountedList {
  readonly is_sandbox: boolean;
  readonly name: string;
  readonly created_at: Date;
  readonly total_emails: number;
  readonly completed: number;
  readonly due: number;
  readonly is_progress_due: boolean;
}

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
      valid_emails + invalid_emails + catch_all_emails as due,
      valid_emails + invalid_emails + catch_all_emails + unknown_emails as completed,
      progress_told_at = ${now} as is_progress_due`.execute(tx);
  return rows[0];
}

const progressEvent = (place: ListPlace, list: CountedList): RealtimeEvent => ({
  event_type: 'list_verification_complete',
  event_metadata: { list_id: place.listId, progress: progressOf(list.completed, list.total_emails) },
});
