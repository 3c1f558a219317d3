import { useEffect, useEffectEvent } from 'react';
import { useServices } from '../services/services-context.tsx';
import type { EventListener, EventType } from './event-bus.ts';

/** Calls the listener on every event of the type while the component is mounted. */
export function useRealtimeEvent(type: EventType, listener: EventListener): void {
  const { events } = useServices();
  const onEvent = useEffectEvent(listener);
  useEffect(() => events.subscribe(type, (metadata) => onEvent(metadata)), [events, type]);
}
