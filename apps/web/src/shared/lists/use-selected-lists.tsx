import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { snackbar } from '../components/snackbar.tsx';
import type { AnyList } from './any-list.ts';
import { noteDeleted } from './deleted-lists.ts';
import { DeletionNote } from './deletion-note.tsx';
import { type DeleteById, deletionFailed, reloadAll } from './list-calls.ts';
import type { ListKeys } from './list-keys.ts';

/** The lists that are selected in a grid, and their deletion, one by one: those that fail are named. */
export function useSelectedLists<List extends AnyList>(
  shown: readonly List[],
  keys: ListKeys,
  deleteById: DeleteById,
) {
  const queryClient = useQueryClient();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  // What another page or a search hides is not deleted unseen.
  const selected = shown.filter(({ id }) => selectedIds.has(id));
  /** Those that the question is about. The grid loses them one by one while they are deleted. */
  const [asked, setAsked] = useState<readonly List[]>([]);
  const deletion = useMutation({
    mutationFn: async (lists: readonly List[]) => {
      const failed: { readonly list: List; readonly message: string }[] = [];
      for (const list of lists) {
        try {
          await deleteById(list.id);
          noteDeleted(list.id);
        } catch (error) {
          failed.push({ list, message: (error as Error).message });
        }
      }
      return { deleted: lists.length - failed.length, failed };
    },
    meta: { hasOwnErrorText: true, changesWallet: true },
    onSuccess: ({ deleted, failed }) => {
      reloadAll(queryClient, keys);
      setSelectedIds(new Set(failed.map(({ list }) => list.id)));
      setIsAsking(false);
      if (deleted > 0) snackbar.success(`${listsText(deleted)} deleted.`);
      for (const { list, message } of failed) {
        snackbar.error(deletionFailed(list.name, message));
      }
    },
  });
  return {
    selected,
    selection: {
      keys: new Set(selected.map(({ id }) => id)),
      onChange: setSelectedIds,
      rowName: ({ name }: List) => name,
    },
    askToDelete: () => {
      setAsked(selected);
      setIsAsking(true);
    },
    dialog: (
      <ConfirmDialog
        isOpen={isAsking}
        title={`Are you sure you want to delete ${listsText(asked.length)}?`}
        confirmLabel="Delete"
        isDestructive
        isBusy={deletion.isPending}
        onConfirm={() => deletion.mutate(asked)}
        onCancel={() => setIsAsking(false)}
      >
        <DeletionNote lists={asked} />
      </ConfirmDialog>
    ),
  };
}

export const listsText = (count: number): string => (count === 1 ? '1 list' : `${count} lists`);
