import { expect, it } from 'vitest';
import { createEventBus } from './event-bus.ts';

it('brings an event to everyone who listens for its type, and to no one else', () => {
  const bus = createEventBus();
  const heard: string[] = [];
  bus.subscribe('list_complete', ({ list_id }) => heard.push(`first ${list_id}`));
  bus.subscribe('list_complete', ({ list_id }) => heard.push(`second ${list_id}`));
  bus.subscribe('refresh_billing', () => heard.push('billing'));

  bus.publish({ event_type: 'list_complete', event_metadata: { list_id: 'l1' } });

  expect(heard).toEqual(['first l1', 'second l1']);
});

it('a listener that stops, even during an event, gets no more events', () => {
  const bus = createEventBus();
  let count = 0;
  const stop = bus.subscribe('refresh_billing', () => {
    count += 1;
    stop();
  });

  bus.publish({ event_type: 'refresh_billing', event_metadata: {} });
  bus.publish({ event_type: 'refresh_billing', event_metadata: {} });

  expect(count).toBe(1);
});
