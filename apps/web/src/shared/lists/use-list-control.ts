import type { ControlAction } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../components/snackbar.tsx';
import { isolated } from '../format/isolated.ts';
import type { AnyList, NamedList } from './any-list.ts';
import { reloadAll } from './list-calls.ts';
import type { ListKeys } from './list-keys.ts';

interface ListInput {
  readonly params: { readonly list_id: string };
}

const inputOf = ({ id }: NamedList): ListInput => ({ params: { list_id: id } });

interface ControlOptions<List> {
  readonly keys: ListKeys;
  readonly calls: Readonly<Record<`${ControlAction}List`, (input: ListInput) => Promise<List>>> & {
    reverifyList(input: ListInput & { readonly idempotencyKey: string }): Promise<List>;
  };
  /** The message after a new list was started. */
  readonly started: (listName: string) => string;
}

/** The calls that control the run of a list, as far as menus and pages need them. */
export interface ListControl {
  readonly isPending: boolean;
  change(list: NamedList, action: ControlAction, options?: { onSettled: () => void }): void;
  reverify(list: NamedList, options: { onSettled: () => void }): void;
}

/** Pausing, resuming and finishing a list, and verifying its unknown rows again, with their messages. */
export function useListControl<List extends AnyList>({
  keys,
  calls,
  started,
}: ControlOptions<List>): ListControl {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ list, action }: { list: NamedList; action: ControlAction }) =>
      calls[`${action}List`](inputOf(list)),
    onSuccess: (changed, { action }) => {
      queryClient.setQueryData([...keys.list, changed.id], changed);
      void queryClient.invalidateQueries({ queryKey: keys.lists });
      if (doneTexts[action]) snackbar.success(doneTexts[action](changed.name));
    },
    // The list may have changed meanwhile, which is why the call was refused.
    onError: () => reloadAll(queryClient, keys),
  });
  const reverify = useMutation({
    mutationFn: (list: NamedList) =>
      calls.reverifyList({ ...inputOf(list), idempotencyKey: crypto.randomUUID() }),
    meta: { startsWork: true, changesWallet: true },
    onSuccess: ({ name }) => {
      reloadAll(queryClient, keys);
      snackbar.success(started(name));
    },
  });
  return {
    isPending: change.isPending || reverify.isPending,
    change: (list, action, options) => change.mutate({ list, action }, options),
    reverify: (list, options) => reverify.mutate(list, options),
  };
}

/** A finished list has a message of its own when it is complete. */
const doneTexts: Readonly<Partial<Record<ControlAction, (name: string) => string>>> = {
  pause: (name) => `List ${isolated(name)} paused.`,
  resume: (name) => `List ${isolated(name)} resumed.`,
};
