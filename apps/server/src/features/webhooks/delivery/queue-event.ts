import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookEventType } from '@assay/contract';
import type { Tx } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob } from '../webhooks.jobs.ts';
import { insertDeliveries } from './deliveries.store.ts';
import { takeNumbers } from './turn.store.ts';

type EventData<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>['data'];

interface WorkOfEvent<Type extends WebhookEventType> {
  /** When the single or list was created that the event is about, if it is about one. */
  readonly workCreatedAt?: Date;
  /** Called only if the customer has a webhook. */
  readonly readData: () => Promise<EventData<Type>>;
}

interface NewEvents<Type extends WebhookEventType> {
  readonly ownerId: string;
  readonly type: Type;
  readonly works: readonly WorkOfEvent<Type>[];
  readonly now: Date;
}

/** Enqueues one event. See `queueEvents`. */
export const queueEvent = <Type extends WebhookEventType>(
  tx: Tx,
  queue: JobQueue,
  { ownerId, type, now, ...work }: Omit<NewEvents<Type>, 'works'> & WorkOfEvent<Type>,
): Promise<void> => queueEvents(tx, queue, { ownerId, type, works: [work], now });

/**
 * Enqueues events of one type for the customer's webhook, if they have one, in the transaction of their causes. They are sent
 * only if that commits. Call it last, because it blocks the customer's later events until then.
 */
export async function queueEvents<Type extends WebhookEventType>(
  tx: Tx,
  queue: JobQueue,
  { ownerId, type, works, now }: NewEvents<Type>,
): Promise<void> {
  const place = await takeNumbers(tx, ownerId, works.length);
  if (!place) return;
  const firstNumber = place.lastNumber - works.length + 1;
  const deliveries = [];
  for (const [at, { workCreatedAt, readData }] of works.entries()) {
    const data = await readData();
    deliveries.push({
      ownerId,
      number: firstNumber + at,
      id: randomUUID(),
      eventId: newEventId(),
      eventType: type,
      body: eventBody({ type, timestamp: now.toISOString(), data } as WebhookEvent),
      isInOrder: true,
      workCreatedAt: workCreatedAt ?? null,
      now,
    });
  }
  await insertDeliveries(tx, deliveries);
  if (place.isDue) await queue.enqueue(tx, deliverInOrderJob, { ownerId });
}

export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
export const eventBody = (event: WebhookEvent): string => JSON.stringify(event);
