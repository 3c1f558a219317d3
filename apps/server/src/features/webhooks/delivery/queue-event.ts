import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookEventType } from '@assay/contract';
import type { Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob, inOrderOf } from '../webhooks.jobs.ts';
import { insertDeliveries, type NewDelivery } from './deliveries.store.ts';
import { takeNumbers } from './turn.store.ts';

type EventData<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>['data'];

interface WorkOfEvent<Type extends WebhookEventType> {
  /** When the single or list was created that the event is about, if it is about one. */
  readonly workCreatedAt?: Date;
  /** Called only if a webhook of the customer wants the event. */
  readonly readData: () => Promise<EventData<Type>>;
}

interface NewEvents<Type extends WebhookEventType> {
  readonly ownerId: AccountId;
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
 * Enqueues events of one type for each of the customer's webhooks that wants them. Call it in the transaction that makes them
 * happen: they are sent only if that commits. Call it once, as the last thing there: other events of these webhooks wait until the commit.
 */
export async function queueEvents<Type extends WebhookEventType>(
  tx: Tx,
  queue: JobQueue,
  { ownerId, type, works, now }: NewEvents<Type>,
): Promise<void> {
  const places = await takeNumbers(tx, { ownerId, type, count: works.length });
  if (places.length === 0) return;
  const events: Omit<NewDelivery, 'ownerId' | 'webhookId' | 'number' | 'id'>[] = [];
  for (const { workCreatedAt, readData } of works) {
    const data = await readData();
    events.push({
      eventId: newEventId(),
      eventType: type,
      body: eventBody({ type, timestamp: now.toISOString(), data } as WebhookEvent),
      isInOrder: true,
      workCreatedAt: workCreatedAt ?? null,
      now,
    });
  }
  const deliveries = places.flatMap(({ webhookId, lastNumber }) =>
    events.map((event, at) => ({
      ...event,
      ownerId,
      webhookId,
      number: lastNumber - events.length + 1 + at,
      id: randomUUID(),
    })),
  );
  await insertDeliveries(tx, deliveries);
  const due = places.filter(({ isDue }) => isDue);
  await queue.enqueueMany(
    tx,
    deliverInOrderJob,
    due.map(({ webhookId }) => ({ payload: inOrderOf({ ownerId, id: webhookId }) })),
  );
}

export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;
export const eventBody = (event: WebhookEvent): string => JSON.stringify(event);
