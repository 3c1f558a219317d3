import { newId } from '../ids.ts';
import type { StoredEvent } from '../store/tables.ts';
import { apiVersion, type EventType } from '../wire.ts';
import type { World } from '../world.ts';

const daysKept = 30;

/** Records an event, and queues its delivery to the webhook endpoint. */
export function emit(world: World, type: EventType, object: object): void {
  const created = world.clock.seconds();
  const event: StoredEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: world.webhook === undefined ? 0 : 1,
    type,
  };
  world.store.put('event', event);
  if (world.webhook !== undefined) {
    world.store.put('delivery', { id: event.id, event: event.id, attempts: 0, nextAttemptAt: created });
  }
  forgetOldEvents(world);
}

/** The API keeps events for thirty days; so do we, and the store stays small. */
function forgetOldEvents(world: World): void {
  const oldestKept = world.clock.seconds() - daysKept * 24 * 60 * 60;
  for (
    let event = world.store.oldest('event');
    event && event.created < oldestKept;
    event = world.store.oldest('event')
  ) {
    world.store.remove('event', event.id);
  }
}
