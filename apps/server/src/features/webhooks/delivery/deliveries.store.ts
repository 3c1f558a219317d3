import type { PageQuery } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { findPage } from '../../../platform/database/find-page.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { WebhookPlace } from '../webhooks.store.ts';
import type { DeliveryStatus } from '../webhooks.tables.ts';

const shown = [
  'id',
  'event_id',
  'event_type',
  'status',
  'attempts',
  'response_status',
  'error',
  'created_at',
  'last_attempt_at',
] as const;

const sent = [
  'webhook_id',
  'number',
  'id',
  'event_id',
  'event_type',
  'body',
  'is_in_order',
  'status',
  'attempts',
  'created_at',
  'work_created_at',
] as const;

export type DeliveryRow = Awaited<ReturnType<typeof insertDeliveries>>[number];
export type DeliveryToSend = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

export interface DeliveryPlace {
  readonly ownerId: AccountId;
  readonly id: string;
}

export interface NewDelivery extends DeliveryPlace {
  readonly webhookId: string;
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly isInOrder: boolean;
  /** When the work that the event tells of was created. Retention deletes the event with the work. */
  readonly workCreatedAt: Date | null;
  readonly now: Date;
}

export function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]) {
  return tx
    .insertInto('webhook_deliveries')
    .values(
      deliveries.map((delivery) => ({
        owner_id: delivery.ownerId,
        webhook_id: delivery.webhookId,
        number: delivery.number,
        id: delivery.id,
        event_id: delivery.eventId,
        event_type: delivery.eventType,
        body: delivery.body,
        is_in_order: delivery.isInOrder,
        status: 'PENDING',
        created_at: delivery.now,
        work_created_at: delivery.workCreatedAt,
      })),
    )
    .returning(shown)
    .execute();
}

export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<DeliveryRow> {
  const [row] = await insertDeliveries(tx, [delivery]);
  return row as DeliveryRow;
}

/** Counts the customer's tests and repeats since a moment that still wait for their try. */
export async function countWaitingBeside(
  tx: Tx,
  { ownerId, createdAfter }: { readonly ownerId: AccountId; readonly createdAfter: Date },
): Promise<number> {
  const { waiting } = await tx
    .selectFrom('webhook_deliveries')
    .select((row) => row.fn.countAll<number>().as('waiting'))
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'PENDING')
    .where('is_in_order', '=', false)
    .where('created_at', '>', createdAfter)
    .executeTakeFirstOrThrow();
  return waiting;
}

export function findDelivery(db: Db, { ownerId, id }: DeliveryPlace) {
  return db
    .selectFrom('webhook_deliveries')
    .select(sent)
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findShownDelivery(db: Db, { ownerId, id }: DeliveryPlace): Promise<DeliveryRow> {
  return db
    .selectFrom('webhook_deliveries')
    .select(shown)
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export function findOldestWaiting(db: Db, webhook: WebhookPlace) {
  return db
    .selectFrom('webhook_deliveries')
    .select(sent)
    .where('owner_id', '=', webhook.ownerId)
    .where('webhook_id', '=', webhook.id)
    .where('status', '=', 'PENDING')
    .where('is_in_order', '=', true)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
}

export function findDeliveries(db: Db, webhook: WebhookPlace, page: PageQuery) {
  const newestFirst = db
    .selectFrom('webhook_deliveries')
    .select(shown)
    .where('owner_id', '=', webhook.ownerId)
    .where('webhook_id', '=', webhook.id)
    .orderBy('number', 'desc');
  return findPage(newestFirst, page);
}

/** The deliveries of all webhooks of a customer, newest first. */
export function findDeliveriesOf(db: Db, ownerId: AccountId, page: PageQuery) {
  const newestFirst = db
    .selectFrom('webhook_deliveries')
    .select(shown)
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('webhook_id')
    .orderBy('number', 'desc');
  return findPage(newestFirst, page);
}

export interface Attempt {
  readonly status: DeliveryStatus;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly now: Date;
}

export async function writeAttempt(tx: Tx, { ownerId, id }: DeliveryPlace, attempt: Attempt): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set((row) => ({
      status: attempt.status,
      attempts: sql<number>`${row.ref('attempts')} + 1`,
      response_status: attempt.responseStatus,
      error: attempt.error,
      last_attempt_at: attempt.now,
    }))
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute();
}

/** Gives up a webhook's ordered deliveries that are older than this. */
export async function failOlderThan(
  tx: Tx,
  { ownerId, id, createdBefore, error }: WebhookPlace & { createdBefore: Date; error: string },
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'FAILED', error })
    .where('owner_id', '=', ownerId)
    .where('webhook_id', '=', id)
    .where('status', '=', 'PENDING')
    .where('is_in_order', '=', true)
    .where('created_at', '<', createdBefore)
    .execute();
}

/**
 * Deletes a customer's deliveries about work from before the date, those that still wait too: a body must not outlive the
 * single that it describes.
 */
export async function removeOldDeliveries(
  db: Db,
  { ownerId, before }: { readonly ownerId: AccountId; readonly before: Date },
): Promise<void> {
  await sql`
    delete from webhook_deliveries
    where owner_id = ${ownerId} and coalesce(work_created_at, created_at) < ${before}`.execute(db);
}

/**
 * Gives up everything that waits, and returns how much: rows of a backup do not tell what receivers got since. Customers
 * see it as failed and can send it again.
 */
export async function dropWaitingDeliveries(db: Db, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ status: 'FAILED', error: 'Not sent after a restore from a backup.', last_attempt_at: now })
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes finished deliveries that are older than the date or above the maximum per webhook. */
export async function pruneFinished(
  db: Db,
  { createdBefore, keptPerWebhook }: { createdBefore: Date; keptPerWebhook: number },
): Promise<void> {
  await sql`
    delete from webhook_deliveries where status <> 'PENDING' and created_at < ${createdBefore}`.execute(db);
  await sql`
    delete from webhook_deliveries using webhooks
    where webhooks.owner_id = webhook_deliveries.owner_id and webhooks.id = webhook_deliveries.webhook_id
      and webhook_deliveries.status <> 'PENDING'
      and webhook_deliveries.number <= webhooks.last_number - ${keptPerWebhook}`.execute(db);
}
