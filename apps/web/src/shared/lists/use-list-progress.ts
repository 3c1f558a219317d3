import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { reloadWallet } from '../api/wallet-query.ts';
import { snackbar } from '../components/snackbar.tsx';
import { afterStart } from '../realtime/after-start.ts';
import type { EventType } from '../realtime/event-bus.ts';
import { useRealtimeEvent } from '../realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../realtime/use-reload-on-arrival.ts';
import type { AnyList } from './any-list.ts';
import { reloadAll } from './list-calls.ts';
import type { ListKeys } from './list-keys.ts';
import { type ListNews, laterOf, type WithCounts } from './live-list.ts';

/** Counts are loaded again this often at most while news of progress arrives several times a second. */
const reloadIntervalMs = 3_000;

interface ProgressOptions<List> {
  readonly keys: ListKeys;
  readonly progressEvent: EventType;
  readonly completeEvent: EventType;
  readonly completeText: string;
  readonly withCounts: WithCounts<List>;
}

/**
 * Keeps the bulk pages up to date with the events of lists. Gives the later of a loaded list and its last event; events are
 * forgotten with the screen.
 */
export function useListProgress<List extends AnyList>({
  keys,
  progressEvent,
  completeEvent,
  completeText,
  withCounts,
}: ProgressOptions<List>): (list: List) => List {
  const queryClient = useQueryClient();
  const [news, setNews] = useState<ReadonlyMap<string, ListNews>>(new Map());
  const reloadedAtMs = useRef(0);
  useReloadOnArrival([keys.lists, keys.list, keys.rows, ...keys.counts]);

  const reloadTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waitingIds = useRef(new Set<string | undefined>());
  useEffect(() => () => clearTimeout(reloadTimer.current), []);

  const reloadLists = (listId: string | undefined, { cancelRefetch = true } = {}) => {
    reloadedAtMs.current = Date.now();
    for (const queryKey of [keys.lists, ...keys.counts])
      void queryClient.invalidateQueries({ queryKey }, { cancelRefetch });
    if (listId === undefined) return;
    void queryClient.invalidateQueries({ queryKey: [...keys.list, listId] }, { cancelRefetch });
    void queryClient.invalidateQueries({ queryKey: [...keys.rows, listId] }, { cancelRefetch });
  };
  /** At once, or at the end of the interval: many events arrive in a second, and none may follow the last one. */
  const reloadSoon = (listId: string | undefined, options?: { cancelRefetch: boolean }) => {
    const waitMs = reloadedAtMs.current + reloadIntervalMs - Date.now();
    if (waitMs <= 0) {
      reloadLists(listId, options);
      return;
    }
    waitingIds.current.add(listId);
    reloadTimer.current ??= setTimeout(() => {
      reloadTimer.current = undefined;
      for (const waitingId of waitingIds.current) reloadLists(waitingId);
      waitingIds.current.clear();
    }, waitMs);
  };

  useRealtimeEvent(progressEvent, (latest) => {
    const { list_id, progress } = latest;
    if (list_id === undefined || progress === undefined) return;
    setNews((known) => new Map(known).set(list_id, latest));
    // More events follow, so a pending answer is recent enough. Asking again each time could starve a slow one.
    reloadSoon(list_id, { cancelRefetch: false });
  });
  useRealtimeEvent(completeEvent, ({ list_id }) => {
    reloadLists(list_id);
    void reloadWallet(queryClient);
    afterStart(queryClient, () => snackbar.success(completeText));
  });
  useRealtimeEvent('list_changed', ({ list_id }) => reloadSoon(list_id));
  // The list itself is not loaded again: it is gone.
  useRealtimeEvent('list_deleted', () => reloadAll(queryClient, keys));
  return (list) => laterOf(list, news.get(list.id), withCounts);
}
