import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { WebhookPlace } from '../webhooks.store.ts';

/** The job whose turn it is to send a webhook's events. */
export interface Turn extends WebhookPlace {
  readonly jobId: string;
}

// Due times and leases are read by other workers and follow the queue, so all of them are moments of the database's clock.

/** Longer than one delivery can take. A dead job keeps its webhook's turn for at most this long. */
const heldMs = 60_000;
/** Workers of older releases write due times of their own clock, which may be a little ahead. */
const clockToleranceMs = 1_000;

export interface TakenNumbers {
  readonly webhookId: string;
  readonly lastNumber: number;
  /** The caller must enqueue a job, because none is enqueued or running that would find the events. */
  readonly isDue: boolean;
}

/**
 * Numbers events for each of the customer's webhooks that wants their type, in the order of commits: the rows stay locked until
 * then. They are locked in one order, so that two transactions do not wait for each other.
 */
export async function takeNumbers(
  tx: Tx,
  { ownerId, type, count }: { readonly ownerId: AccountId; readonly type: string; readonly count: number },
): Promise<TakenNumbers[]> {
  const { rows } = await sql<TakenNumbers>`
    with wanting as (
      select id from webhooks
      where owner_id = ${ownerId} and (event_types is null or ${type} = any (event_types))
      order by id for no key update)
    update webhooks set
      last_number = last_number + ${count},
      due_at = case when due_at is not null or lane_held_until > ${moment()} then due_at else ${moment()} end
    from wanting
    where webhooks.owner_id = ${ownerId} and webhooks.id = wanting.id
    returning webhooks.id as "webhookId", last_number as "lastNumber",
      coalesce(due_at = ${moment()}, false) as "isDue"`.execute(tx);
  return rows;
}

/** Numbers an event that is sent out of order. */
export async function takeNumberBeside(tx: Tx, { ownerId, id }: WebhookPlace): Promise<number | undefined> {
  const row = await tx
    .updateTable('webhooks')
    .set((webhook) => ({ last_number: sql<number>`${webhook.ref('last_number')} + 1` }))
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('last_number')
    .executeTakeFirst();
  return row?.last_number;
}

/** Ends the wait for the next try. Returns false if a job is already running. */
export async function wakeDeliveries(tx: Tx, { ownerId, id }: WebhookPlace): Promise<boolean> {
  const woken = await sql`
    update webhooks set due_at = ${moment()}
    where owner_id = ${ownerId} and id = ${id} and (lane_held_until is null or lane_held_until <= ${moment()})
    returning id`.execute(tx);
  return woken.rows.length > 0;
}

/** Returns false if another job has the turn, or if it is too early. A retried job takes its own turn back. */
export async function takeTurn(db: Db, { ownerId, id, jobId }: Turn): Promise<boolean> {
  const taken = await sql`
    update webhooks set lane_job = ${jobId}, lane_held_until = ${moment(heldMs)}, due_at = null
    where owner_id = ${ownerId} and id = ${id}
      and (lane_held_until is null or lane_held_until <= ${moment()} or lane_job = ${jobId})
      and (due_at is null or due_at <= ${moment(clockToleranceMs)})
    returning id`.execute(db);
  return taken.rows.length > 0;
}

/**
 * Locks the webhook's row, extends the lease, and writes down when the receiver took an event, if it did. Returns false if another
 * job has the turn.
 */
export async function keepTurn(
  tx: Tx,
  { ownerId, id, jobId }: Turn,
  { deliveredAt }: { readonly deliveredAt?: Date | undefined } = {},
): Promise<boolean> {
  const kept = await tx
    .updateTable('webhooks')
    .set({ lane_held_until: moment(heldMs), last_delivered_at: deliveredAt })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('lane_job', '=', jobId)
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

/** Lets another job take the turn. `dueInMs` is the wait of the job that the caller enqueues, or null without one. */
export async function endTurn(
  tx: Tx,
  { ownerId, id, jobId, dueInMs }: Turn & { readonly dueInMs: number | null },
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ lane_job: null, lane_held_until: null, due_at: dueInMs === null ? null : moment(dueInMs) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('lane_job', '=', jobId)
    .execute();
}

/** Webhooks whose events wait although no job is enqueued or running. */
export async function findForgottenWebhooks(db: Db, overdueMs: number): Promise<WebhookPlace[]> {
  const { rows } = await sql<WebhookPlace>`
    select owner_id as "ownerId", id from webhooks
    where (lane_held_until is null or lane_held_until <= ${moment(-overdueMs)})
      and (due_at is null or due_at <= ${moment(-overdueMs)})
      and exists (select from webhook_deliveries
        where webhook_deliveries.owner_id = webhooks.owner_id and webhook_id = webhooks.id
          and status = 'PENDING' and is_in_order)`.execute(db);
  return rows;
}

/** This moment, or one that is so far from it. All of one transaction are the same, as the queue counts. */
const moment = (fromNowMs = 0) => sql<Date>`(now() + ${fromNowMs} * interval '1 millisecond')`;
