import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reloadWallet } from '../api/wallet-query.ts';
import { snackbar } from '../components/snackbar.tsx';
import type { EventType } from '../realtime/event-bus.ts';
import { useRealtimeEvent } from '../realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../realtime/use-reload-on-arrival.ts';
import type { ListKeys } from './list-keys.ts';

/** Counts are loaded again this often at most while news of progress arrives several times a second. */
const reloadIntervalMs = 3_000;

interface ListNews {
  readonly keys: ListKeys;
  readonly progressEvent: EventType;
  readonly completeEvent: EventType;
  readonly completeText: string;
}

/**
 * What the bulk pages do when the server tells how lists are getting on. Gives the live progress, 0 to 100, by list id;
 * it is forgotten with the screen.
 */
export function useListProgress({
  keys,
  progressEvent,
  completeEvent,
  completeText,
}: ListNews): ReadonlyMap<string, number> {
  const queryClient = useQueryClient();
  const [liveProgress, setLiveProgress] = useState<ReadonlyMap<string, number>>(new Map());
  const reloadedAtMs = useRef(0);
  useReloadOnArrival([keys.lists, keys.list, keys.rows, ...keys.counts]);

  const reloadLists = (listId: string | undefined) => {
    reloadedAtMs.current = Date.now();
    void queryClient.invalidateQueries({ queryKey: keys.lists });
    if (listId === undefined) return;
    void queryClient.invalidateQueries({ queryKey: [...keys.list, listId] });
    void queryClient.invalidateQueries({ queryKey: [...keys.rows, listId] });
  };

  useRealtimeEvent(progressEvent, ({ list_id, progress }) => {
    if (list_id === undefined || progress === undefined) return;
    setLiveProgress((known) => new Map(known).set(list_id, progress));
    if (Date.now() - reloadedAtMs.current >= reloadIntervalMs) reloadLists(list_id);
  });
  useRealtimeEvent(completeEvent, ({ list_id }) => {
    reloadLists(list_id);
    for (const queryKey of keys.counts) void queryClient.invalidateQueries({ queryKey });
    void reloadWallet(queryClient);
    snackbar.success(completeText);
  });
  return liveProgress;
}
