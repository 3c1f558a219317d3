import { useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../components/snackbar.tsx';
import { isolated } from '../format/isolated.ts';
import { useRealtimeEvent } from '../realtime/use-realtime-event.ts';
import type { NamedList } from './any-list.ts';
import { noteDeleted, wasDeleted } from './deleted-lists.ts';
import { isDeleting } from './list-calls.ts';

/** Leaves the page of a list that is deleted in another tab or by a program. */
export function useDeletedElsewhere(listId: string, list: NamedList | undefined, leave: () => void): void {
  const queryClient = useQueryClient();
  useRealtimeEvent('list_deleted', ({ list_id }) => {
    // This tab's own deletion says and does the same when its answer is there, which may come before the event.
    if (list_id !== listId || isDeleting(queryClient, listId) || wasDeleted(listId)) return;
    noteDeleted(listId);
    snackbar.info(list ? `List ${isolated(list.name)} deleted.` : 'This list was deleted.');
    leave();
  });
}
