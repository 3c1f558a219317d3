import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reloadWallet } from '../../../shared/api/wallet-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../../../shared/realtime/use-reload-on-arrival.ts';
import { guessingKeys } from '../api/keys.ts';

/** Counts are loaded again this often at most while news of progress arrives several times a second. */
const reloadIntervalMs = 3_000;

/** What the bulk pages do when the server tells how lists are getting on. Gives the live progress by list id. */
export function useListEvents(): ReadonlyMap<string, number> {
  const queryClient = useQueryClient();
  const [liveProgress, setLiveProgress] = useState<ReadonlyMap<string, number>>(new Map());
  const reloadedAtMs = useRef(0);
  useReloadOnArrival([guessingKeys.lists, guessingKeys.list, guessingKeys.people]);

  const reloadLists = (listId: string | undefined) => {
    reloadedAtMs.current = Date.now();
    void queryClient.invalidateQueries({ queryKey: guessingKeys.lists });
    if (listId === undefined) return;
    void queryClient.invalidateQueries({ queryKey: [...guessingKeys.list, listId] });
    void queryClient.invalidateQueries({ queryKey: [...guessingKeys.people, listId] });
  };

  useRealtimeEvent('guess_list_progress', ({ list_id, progress }) => {
    if (list_id === undefined || progress === undefined) return;
    setLiveProgress((known) => new Map(known).set(list_id, progress));
    if (Date.now() - reloadedAtMs.current >= reloadIntervalMs) reloadLists(list_id);
  });
  useRealtimeEvent('guess_list_complete', ({ list_id }) => {
    reloadLists(list_id);
    void reloadWallet(queryClient);
    snackbar.success('List guessing successful!');
  });
  return liveProgress;
}
