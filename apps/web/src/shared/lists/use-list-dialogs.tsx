import type { ComponentProps, ReactNode } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import type { RowAction } from '../components/data-grid/row-action-menu.tsx';
import { usePanel } from '../components/use-panel.ts';
import type { NamedList } from './any-list.ts';
import { RenameListDialog } from './rename-list-dialog.tsx';

/** What can be done with a list: the same in the menu of its row and on its own page. */
export interface ListActions<List> {
  actionsOf(list: List): RowAction[];
  /** To be placed once, anywhere on the page. */
  readonly dialogs: ReactNode;
}

/** A call that deletes a list, as far as the dialog needs it. */
interface DeleteCall {
  readonly isPending: boolean;
  mutate(list: NamedList, options: { onSuccess: () => void; onSettled: () => void }): void;
}

interface ListDialogsOptions<List> {
  readonly useRename: ComponentProps<typeof RenameListDialog>['useRename'];
  readonly deleteList: DeleteCall;
  /** The entries of the menu between Rename and Delete. */
  readonly downloadsOf: (list: List) => RowAction[];
  readonly onDeleted: (() => void) | undefined;
}

/** Renaming and deleting are asked for in the same words whatever is in the list. */
export function useListDialogs<List extends NamedList>({
  useRename,
  deleteList,
  downloadsOf,
  onDeleted,
}: ListDialogsOptions<List>): ListActions<List> {
  const renaming = usePanel<List>();
  const deleting = usePanel<List>();

  const confirmDelete = () => {
    if (!deleting.subject) return;
    deleteList.mutate(deleting.subject, {
      onSuccess: () => onDeleted?.(),
      // Whatever became of it, the message says so.
      onSettled: deleting.close,
    });
  };

  return {
    actionsOf: (list) => [
      { label: 'Rename', icon: 'rename', onSelect: () => renaming.open(list) },
      ...downloadsOf(list),
      { label: 'Delete', icon: 'remove', isDestructive: true, onSelect: () => deleting.open(list) },
    ],
    dialogs: (
      <>
        <RenameListDialog
          isOpen={renaming.isOpen}
          list={renaming.subject}
          useRename={useRename}
          onClose={renaming.close}
        />
        <ConfirmDialog
          isOpen={deleting.isOpen}
          title={`Are you sure you want to delete ${deleting.subject?.name}?`}
          confirmLabel="Delete"
          isDestructive
          isBusy={deleteList.isPending}
          onConfirm={confirmDelete}
          onCancel={deleting.close}
        >
          This action cannot be undone
        </ConfirmDialog>
      </>
    ),
  };
}
