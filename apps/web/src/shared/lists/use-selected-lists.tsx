import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { snackbar } from '../components/snackbar.tsx';
import type { NamedList } from './any-list.ts';
import { noteDeleted } from './deleted-lists.ts';
import { type DeleteById, reloadAll } from './list-calls.ts';
import type { ListKeys } from './list-keys.ts';

/** The lists that are selected in a grid, and their deletion, one by one: those that fail are named. */
export function useSelectedLists<List extends NamedList>(
  shown: readonly List[],
  keys: ListKeys,
  deleteById: DeleteById,
) {
  const queryClient = useQueryClient();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  // What another page or a search hides is not deleted unseen.
  const selected = shown.filter(({ id }) => selectedIds.has(id));
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
        snackbar.error(
          message === '' ? `Error deleting ${list.name}` : `Error deleting ${list.name} : ${message}`,
        );
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
    askToDelete: () => setIsAsking(true),
    dialog: (
      <ConfirmDialog
        isOpen={isAsking}
        title={`Are you sure you want to delete ${listsText(selected.length)}?`}
        confirmLabel="Delete"
        isDestructive
        isBusy={deletion.isPending}
        onConfirm={() => deletion.mutate(selected)}
        onCancel={() => setIsAsking(false)}
      >
        This action cannot be undone
      </ConfirmDialog>
    ),
  };
}

export const listsText = (count: number): string => (count === 1 ? '1 list' : `${count} lists`);
