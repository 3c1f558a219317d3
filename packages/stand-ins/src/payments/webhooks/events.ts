import { apiVersion } from '../objects.ts';
import type { StoredEvent } from '../store/tables.ts';
import { newId, type World } from '../world.ts';

const keptSeconds = 30 * 24 * 60 * 60;

/** Records an event, and queues its delivery to the webhook endpoint. */
export function emit(world: World, type: StoredEvent['type'], object: object): void {
  const { store, clock, webhook } = world;
  const id = newId('evt');
  const created = clock.seconds();
  const pending_webhooks = webhook === undefined ? 0 : 1;
  const head = { id, object: 'event', api_version: apiVersion, created, livemode: false } as const;
  store.put('event', { ...head, data: { object }, pending_webhooks, type });
  if (webhook !== undefined) store.put('delivery', { id, event: id, attempts: 0, nextAttemptAt: created });
  // The API keeps events for thirty days; so do we, and the store stays small.
  store.removeOlder('event', created - keptSeconds);
}
