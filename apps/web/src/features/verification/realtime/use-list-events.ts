import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reloadWallet } from '../../../shared/api/wallet-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useRealtimeEvent } from '../../../shared/realtime/use-realtime-event.ts';
import { useReloadOnArrival } from '../../../shared/realtime/use-reload-on-arrival.ts';
import { verificationKeys } from '../api/keys.ts';

/** Counts are loaded again this often at most while news of progress arrives several times a second. */
const reloadIntervalMs = 3_000;

/**
 * What the bulk pages do when the server tells how lists are getting on. Gives the live progress, 0 to 100, by list id;
 * it is forgotten with the screen.
 */
export function useListEvents(): ReadonlyMap<string, number> {
  const queryClient = useQueryClient();
  const [liveProgress, setLiveProgress] = useState<ReadonlyMap<string, number>>(new Map());
  const reloadedAtMs = useRef(0);
  useReloadOnArrival([
    verificationKeys.lists,
    verificationKeys.list,
    verificationKeys.listEmails,
    verificationKeys.metrics,
  ]);

  const reloadLists = (listId: string | undefined) => {
    reloadedAtMs.current = Date.now();
    void queryClient.invalidateQueries({ queryKey: verificationKeys.lists });
    if (listId === undefined) return;
    void queryClient.invalidateQueries({ queryKey: [...verificationKeys.list, listId] });
    void queryClient.invalidateQueries({ queryKey: [...verificationKeys.listEmails, listId] });
  };

  useRealtimeEvent('list_verification_complete', ({ list_id, progress }) => {
    if (list_id === undefined || progress === undefined) return;
    setLiveProgress((known) => new Map(known).set(list_id, progress));
    if (Date.now() - reloadedAtMs.current >= reloadIntervalMs) reloadLists(list_id);
  });
  useRealtimeEvent('list_complete', ({ list_id }) => {
    reloadLists(list_id);
    void queryClient.invalidateQueries({ queryKey: verificationKeys.metrics });
    void reloadWallet(queryClient);
    snackbar.success('List verification successful!');
  });
  return liveProgress;
}
