import { newId } from '../ids.ts';
import type { StoredEvent } from '../store/tables.ts';
import { apiVersion, type EventType } from '../wire.ts';
import type { World } from '../world.ts';

const daysKept = 30;

/**
 * Records that something happened, and who has yet to be told. `before` is the object as it was, of which an update's
 * event shows the parts that changed.
 */
export function emit(world: World, type: EventType, object: object, before?: object): StoredEvent {
  const endpoints = world.store.all('webhook_endpoint').filter(({ status, enabled_events }) => {
    return status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type));
  });
  const created = world.clock.seconds();
  const event: StoredEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created,
    data: { object, ...(before === undefined ? {} : { previous_attributes: whatChanged(before, object) }) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: { id: world.request?.id ?? null, idempotency_key: world.request?.idempotencyKey ?? null },
    type,
  };
  world.store.put('event', event);
  for (const endpoint of endpoints) {
    const id = `${event.id} ${endpoint.id}`;
    world.store.put('delivery', {
      id,
      event: event.id,
      endpoint: endpoint.id,
      attempts: 0,
      nextAttemptAt: created,
    });
  }
  forgetOldEvents(world);
  return event;
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

type Fields = Record<string, unknown>;

/** The old values of what differs: objects are compared field by field, lists as a whole. */
export function whatChanged(before: object, after: object): Fields {
  const old = before as Fields;
  const current = after as Fields;
  const changed: Fields = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(current)])) {
    const [from, to] = [old[name], current[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    changed[name] = isFields(from) && isFields(to) ? whatChanged(from, to) : (from ?? null);
  }
  return changed;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
