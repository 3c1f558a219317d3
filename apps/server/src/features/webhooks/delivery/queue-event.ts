import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookEventType } from '@assay/contract';
import type { Tx } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob } from '../webhooks.jobs.ts';
import { insertDelivery } from './deliveries.store.ts';
import { takeNumber } from './turn.store.ts';

type EventData<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>['data'];

interface NewEvent<Type extends WebhookEventType> {
  readonly ownerId: string;
  readonly type: Type;
  /** When the single or list was created that the event is about, if it is about one. */
  readonly workCreatedAt?: Date;
  /** Called only if the customer has a webhook. */
  readonly readData: () => Promise<EventData<Type>>;
  readonly now: Date;
}

/**
 * Enqueues an event for the customer's webhook, if they have one, in the transaction of its cause. It is sent
 * only if that commits. Call it last, because it blocks the customer's later events until then.
 */
export async function queueEvent<Type extends WebhookEventType>(
  tx: Tx,
  queue: JobQueue,
  { ownerId, type, workCreatedAt, readData, now }: NewEvent<Type>,
): Promise<void> {
  const place = await takeNumber(tx, ownerId);
  if (!place) return;
  const data = await readData();
  await insertDelivery(tx, {
    ownerId,
    number: place.number,
    id: randomUUID(),
    eventId: newEventId(),
    eventType: type,
    body: eventBody({ type, timestamp: now.toISOString(), data } as WebhookEvent),
    isInOrder: true,
    workCreatedAt: workCreatedAt ?? null,
    now,
  });
  if (place.isDue) await queue.enqueue(tx, deliverInOrderJob, { ownerId });
}

export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
export const eventBody = (event: WebhookEvent): string => JSON.stringify(event);
