import { randomUUID } from 'node:crypto';
import type { WebhookDelivery } from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { requireAttempt } from '../../platform/limits/index.ts';
import { lockForCounting } from '../accounts/index.ts';
import {
  countWaitingBeside,
  type DeliveryPlace,
  type DeliveryRow,
  type DeliveryToSend,
  findDelivery,
  findShownDelivery,
  insertDelivery,
} from './delivery/deliveries.store.ts';
import { eventBody, newEventId } from './delivery/queue-event.ts';
import { takeNumberBeside, wakeDeliveries } from './delivery/turn.store.ts';
import { deliverInOrderJob, deliverOnceJob, inOrderOf } from './webhooks.jobs.ts';
import { deliveryAnswer, requireWebhook, type WebhookParts } from './webhooks.service.ts';
import type { WebhookPlace } from './webhooks.store.ts';

/** Enough to try a receiver, too few to attack one through us. */
const sendsPerTenMinutes = 60;

/**
 * Deliveries by hand that one customer may have in flight, to all webhooks together, so that receivers that never answer do
 * not delay other customers.
 */
const waitingMax = 3;
/** A delivery that waits longer has lost its job and no longer counts. */
const waitingMs = 300_000;

const testMessage = 'This is a test. If you can read this, your receiver works.';

/** Sends a test event once, at once, out of order. */
export async function sendTest(parts: WebhookParts, place: WebhookPlace): Promise<WebhookDelivery> {
  const { db, clock } = parts;
  await requireWebhook(db, place);
  await limitSends(parts, place.ownerId);
  const now = clock.now();
  const type = 'webhook.test';
  const body = eventBody({ type, timestamp: now.toISOString(), data: { message: testMessage } });
  return db.transaction().execute(async (tx) =>
    deliveryAnswer(
      await sendBeside(parts, tx, place, {
        event_id: newEventId(),
        event_type: type,
        body,
        workCreatedAt: null,
      }),
    ),
  );
}

/** Sends a finished event once more under its id; tries a waiting event now, in its order. */
export async function sendAgain(
  parts: WebhookParts,
  webhook: WebhookPlace,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { db, queue } = parts;
  const { ownerId } = webhook;
  const place: DeliveryPlace = { ownerId, id: deliveryId };
  await requireWebhook(db, webhook);
  await limitSends(parts, ownerId);
  return db.transaction().execute(async (tx) => {
    const delivery = await findDelivery(tx, place);
    if (delivery?.webhook_id !== webhook.id) throw new AppError('webhook_delivery_not_found', { deliveryId });
    if (delivery.status !== 'PENDING') {
      // A repeat is as old as the work, so that sending again does not keep an address.
      const workCreatedAt = delivery.work_created_at ?? delivery.created_at;
      return deliveryAnswer(await sendBeside(parts, tx, webhook, { ...delivery, workCreatedAt }));
    }

    const isWoken = delivery.is_in_order && (await wakeDeliveries(tx, webhook));
    if (isWoken) await queue.enqueue(tx, deliverInOrderJob, inOrderOf(webhook));
    return deliveryAnswer(await findShownDelivery(tx, place));
  });
}

async function sendBeside(
  { clock, queue }: WebhookParts,
  tx: Tx,
  webhook: WebhookPlace,
  event: Pick<DeliveryToSend, 'event_id' | 'event_type' | 'body'> & { readonly workCreatedAt: Date | null },
): Promise<DeliveryRow> {
  const { ownerId, id: webhookId } = webhook;
  // So that simultaneous calls are counted one after the other.
  await lockForCounting(tx, ownerId);
  const number = await takeNumberBeside(tx, webhook);
  if (number === undefined) throw new AppError('webhook_not_found', { webhookId });
  const createdAfter = new Date(clock.now().getTime() - waitingMs);
  if ((await countWaitingBeside(tx, { ownerId, createdAfter })) >= waitingMax) throw tooManyWaiting();
  const row = await insertDelivery(tx, {
    ownerId,
    webhookId,
    number,
    id: randomUUID(),
    eventId: event.event_id,
    eventType: event.event_type,
    body: event.body,
    isInOrder: false,
    workCreatedAt: event.workCreatedAt,
    now: clock.now(),
  });
  await queue.enqueue(tx, deliverOnceJob, { ownerId, deliveryId: row.id });
  return row;
}

const tooManyWaiting = (): AppError =>
  new AppError(
    'too_many_requests',
    {},
    {
      text: `${waitingMax} deliveries still wait for your receiver to answer. Wait until one of them ends, then try again.`,
      meta: { max: waitingMax, retry_after_seconds: 15 },
    },
  );

const limitSends = ({ db, clock, secrets }: WebhookParts, ownerId: AccountId): Promise<void> =>
  requireAttempt(
    { db, clock, secrets },
    { bucket: 'webhook_send', key: ownerId, max: sendsPerTenMinutes, windowSeconds: 600 },
  );
