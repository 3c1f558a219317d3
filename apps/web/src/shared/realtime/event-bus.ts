import type { RealtimeEvent } from '@assay/contract';

export type EventType = RealtimeEvent['event_type'];
export type EventListener = (metadata: RealtimeEvent['event_metadata']) => void;

/** Brings what the server tells to the screens that asked for it. */
export interface EventBus {
  publish(event: RealtimeEvent): void;
  /** Gives the way to stop listening. */
  subscribe(type: EventType, listener: EventListener): () => void;
}

export function createEventBus(): EventBus {
  const listeners = new Map<EventType, Set<EventListener>>();
  return {
    publish({ event_type, event_metadata }) {
      for (const listener of [...(listeners.get(event_type) ?? [])]) listener(event_metadata);
    },
    subscribe(type, listener) {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType.add(listener));
      return () => ofType.delete(listener);
    },
  };
}
