import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { atMostEvery } from './at-most-every.ts';
import type { EventType } from './event-bus.ts';
import { useRealtimeEvent } from './use-realtime-event.ts';

const pauseMs = 3_000;

/** Loads a query again on events of the type, with a pause between two loads: a busy customer gets many events in a second. */
export function useReloadOnEvent(type: EventType, queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const [reloadSoon] = useState(() =>
    atMostEvery(pauseMs, () => queryClient.invalidateQueries({ queryKey })),
  );
  useRealtimeEvent(type, reloadSoon);
}
