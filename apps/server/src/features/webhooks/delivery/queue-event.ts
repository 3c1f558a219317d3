import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookEventType } from '@assay/contract';
import type { Tx } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob } from '../webhooks.jobs.ts';
import { insertDelivery } from './deliveries.store.ts';
import { takeNumber } from './lane.store.ts';

type EventData<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>['data'];

interface NewEvent<Type extends WebhookEventType> {
  readonly ownerId: string;
  readonly type: Type;
  /** Read only when there is somebody to tell. */
  readonly readData: () => Promise<EventData<Type>>;
  readonly now: Date;
}

/**
 * Has an event sent to the customer's webhook, if they have one. Part of the transaction in which it happened: it is sent
 * when that commits and never otherwise. Call it last there, since it holds the customer's later events back until then.
 */
export async function queueEvent<Type extends WebhookEventType>(
  tx: Tx,
  queue: JobQueue,
  { ownerId, type, readData, now }: NewEvent<Type>,
): Promise<void> {
  const place = await takeNumber(tx, { ownerId, now });
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
    now,
  });
  if (place.isDue) await queue.enqueue(tx, deliverInOrderJob, { ownerId });
}

export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
export const eventBody = (event: WebhookEvent): string => JSON.stringify(event);
