import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../components/snackbar.tsx';
import { isolated } from '../format/isolated.ts';
import type { NamedList } from './any-list.ts';
import { noteDeleted } from './deleted-lists.ts';
import type { ListKeys } from './list-keys.ts';

/** The choices for a list made from a file. */
export interface ListOrder {
  /** From the preview: names the file that was uploaded then. */
  readonly uploadId: string;
  readonly withHeaders: boolean;
  /** Where the customer has changed it. */
  readonly name?: string | undefined;
}

interface NewName {
  readonly list: Pick<NamedList, 'id'>;
  readonly name: string;
}

/** A list is there, or is there no more. */
export function reloadAll(queryClient: QueryClient, { lists, counts }: ListKeys): void {
  for (const queryKey of [lists, ...counts]) void queryClient.invalidateQueries({ queryKey });
}

/** The call that creates a list, and the queries to reload afterwards. */
export function useListCreation<List, Order = ListOrder>(
  keys: ListKeys,
  create: (order: Order) => Promise<List>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: create,
    meta: { startsWork: true, changesWallet: true },
    onSuccess: () => reloadAll(queryClient, keys),
  });
}

/** The call that renames a list, with its messages. */
export function useListRenaming<List extends NamedList>(
  keys: ListKeys,
  rename: (order: NewName) => Promise<List>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: rename,
    meta: { hasOwnErrorText: true },
    onSuccess: (renamed) => {
      queryClient.setQueryData([...keys.list, renamed.id], renamed);
      void queryClient.invalidateQueries({ queryKey: keys.lists });
      snackbar.success('Name updated successfully');
    },
    onError: () => snackbar.error('Name update failed.'),
  });
}

const deletionKey = ['delete-list'] as const;

/** Whether this tab waits for the answer to its own deletion of the list. */
export const isDeleting = (queryClient: QueryClient, listId: string): boolean =>
  queryClient.isMutating({
    mutationKey: deletionKey,
    predicate: ({ state }) => (state.variables as NamedList | undefined)?.id === listId,
  }) > 0;

export type DeleteById = (listId: string) => Promise<unknown>;

/** The call that deletes a list, with its messages. */
export function useListDeletion(keys: ListKeys, deleteById: DeleteById) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: deletionKey,
    mutationFn: ({ id }: NamedList) => deleteById(id),
    // A list that still runs is settled: what was held for the rest comes back.
    meta: { hasOwnErrorText: true, changesWallet: true },
    onSuccess: (_nothing, { id, name }) => {
      noteDeleted(id);
      // Not reloaded, since it is gone: the page that shows it would be told so.
      queryClient.removeQueries({ queryKey: [...keys.list, id], type: 'inactive' });
      reloadAll(queryClient, keys);
      snackbar.success(`List ${isolated(name)} deleted.`);
    },
    onError: ({ message }, { name }) => snackbar.error(deletionFailed(name, message)),
  });
}

/** What a deletion that failed says. */
export const deletionFailed = (name: string, message: string): string =>
  message === '' ? `Error deleting ${isolated(name)}` : `Error deleting ${isolated(name)} : ${message}`;
