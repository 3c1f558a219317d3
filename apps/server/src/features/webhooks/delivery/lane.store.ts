import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** Longer than one event can take to be sent; a job that died leaves its lane for that long at most. */
const heldMs = 60_000;
/** The queue starts jobs by the database's clock, and ours may be a little behind it. */
const clockToleranceMs = 1_000;

/**
 * Numbers an event in the order of commits: the row stays locked until then. `isDue` says that a job must be enqueued,
 * since none is on its way and none is at work that would find the event. Nothing when the customer has no webhook.
 */
export async function takeNumber(
  tx: Tx,
  { ownerId, now }: { ownerId: string; now: Date },
): Promise<{ number: number; isDue: boolean } | undefined> {
  const { rows } = await sql<{ number: number; isDue: boolean }>`
    update webhooks set
      last_number = last_number + 1,
      due_at = case when due_at is not null or lane_held_until > ${now} then due_at else ${now} end
    where owner_id = ${ownerId}
    returning last_number as number, coalesce(due_at = ${now}, false) as "isDue"`.execute(tx);
  return rows[0];
}

/** Numbers an event that goes beside the lane. */
export async function takeNumberBeside(tx: Tx, ownerId: string): Promise<number | undefined> {
  const row = await tx
    .updateTable('webhooks')
    .set((webhook) => ({ last_number: sql<number>`${webhook.ref('last_number')} + 1` }))
    .where('owner_id', '=', ownerId)
    .returning('last_number')
    .executeTakeFirst();
  return row?.last_number;
}

/** Asks for a look at once, whatever wait there was. Answers false when a job is at it already. */
export async function wakeLane(tx: Tx, { ownerId, now }: { ownerId: string; now: Date }): Promise<boolean> {
  const woken = await sql`
    update webhooks set due_at = ${now}
    where owner_id = ${ownerId} and (lane_held_until is null or lane_held_until <= ${now})
    returning id`.execute(tx);
  return woken.rows.length > 0;
}

/** Answers false when another job has the lane, or when it is too early. A retried job takes its own lane over. */
export async function takeLane(
  db: Db,
  { ownerId, jobId, now }: { ownerId: string; jobId: string; now: Date },
): Promise<boolean> {
  const taken = await sql`
    update webhooks set lane_job = ${jobId}, lane_held_until = ${later(now, heldMs)}, due_at = null
    where owner_id = ${ownerId}
      and (lane_held_until is null or lane_held_until <= ${now} or lane_job = ${jobId})
      and (due_at is null or due_at <= ${later(now, clockToleranceMs)})
    returning id`.execute(db);
  return taken.rows.length > 0;
}

/** Locks the webhook's row, and holds the lane for longer. Answers false when the lane is no longer this job's. */
export async function keepLane(
  tx: Tx,
  { ownerId, jobId, now }: { ownerId: string; jobId: string; now: Date },
): Promise<boolean> {
  const kept = await tx
    .updateTable('webhooks')
    .set({ lane_held_until: later(now, heldMs) })
    .where('owner_id', '=', ownerId)
    .where('lane_job', '=', jobId)
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

/** Gives the lane back. `dueAt` is when the job that was enqueued beside this will look. */
export async function leaveLane(
  tx: Tx,
  { ownerId, jobId, dueAt }: { ownerId: string; jobId: string; dueAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ lane_job: null, lane_held_until: null, due_at: dueAt })
    .where('owner_id', '=', ownerId)
    .where('lane_job', '=', jobId)
    .execute();
}

/** Whose events wait although no job is at work on them or on its way. */
export async function findForgottenLanes(
  db: Db,
  { now, overdueMs }: { now: Date; overdueMs: number },
): Promise<string[]> {
  const overdue = later(now, -overdueMs);
  const { rows } = await sql<{ owner_id: string }>`
    select owner_id from webhooks
    where (lane_held_until is null or lane_held_until <= ${now}) and (due_at is null or due_at <= ${overdue})
      and exists (select from webhook_deliveries
        where webhook_deliveries.owner_id = webhooks.owner_id and status = 'PENDING' and is_in_order
          and created_at <= ${overdue})`.execute(db);
  return rows.map((row) => row.owner_id);
}

const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);
