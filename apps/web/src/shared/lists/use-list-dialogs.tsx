import type { ComponentProps, ReactNode } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import type { RowAction } from '../components/data-grid/row-action.ts';
import { lateDialog } from '../components/late-parts.tsx';
import { usePanel } from '../components/use-panel.ts';
import type { AnyList, NamedList } from './any-list.ts';
import type { ListControl } from './use-list-control.ts';

const RenameListDialog = lateDialog(async () => (await import('./rename-list-dialog.tsx')).RenameListDialog);

/** What can be done with a list: the same in the menu of its row and on its own page. */
export interface ListActions<List> {
  actionsOf(list: List): RowAction[];
  /** The part of them that controls the run: also on the page of a list. */
  controlsOf(list: List): RowAction[];
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
  readonly control: ListControl;
  /** How many rows of the list can be verified again, and what they are called. */
  readonly unknownsOf: (list: List) => { readonly count: number; readonly noun: string };
  /** The entries of the menu between Rename and Delete. */
  readonly downloadsOf: (list: List) => RowAction[];
  readonly onDeleted: (() => void) | undefined;
}

/** Renaming and deleting are asked for in the same words whatever is in the list. */
export function useListDialogs<List extends AnyList>({
  useRename,
  deleteList,
  control,
  unknownsOf,
  downloadsOf,
  onDeleted,
}: ListDialogsOptions<List>): ListActions<List> {
  const renaming = usePanel<List>();
  const deleting = usePanel<List>();
  const finishing = usePanel<List>();

  const confirmDelete = () => {
    if (!deleting.subject) return;
    deleteList.mutate(deleting.subject, {
      onSuccess: () => onDeleted?.(),
      // Whatever became of it, the message says so.
      onSettled: deleting.close,
    });
  };

  const confirmFinish = () => {
    if (finishing.subject) control.change(finishing.subject, 'finish', { onSettled: finishing.close });
  };

  const controlsOf = (list: List): RowAction[] => {
    const { run_state } = list;
    if (run_state === null || run_state === 'finishing') return [];
    const pause: RowAction = {
      label: 'Pause',
      icon: 'pause',
      isDisabled: control.isPending,
      onSelect: () => control.change(list, 'pause'),
    };
    const resume: RowAction = {
      label: 'Resume',
      icon: 'resume',
      isDisabled: control.isPending,
      onSelect: () => control.change(list, 'resume'),
    };
    const finish: RowAction = { label: 'Finish now', icon: 'finish', onSelect: () => finishing.open(list) };
    return [run_state === 'paused' ? resume : pause, finish];
  };

  const reverifyOf = (list: List): RowAction[] => {
    const { count, noun } = unknownsOf(list);
    if (list.run_state !== null || count === 0) return [];
    return [
      {
        label: `Re-verify unknown ${noun}`,
        icon: 'retry',
        isDisabled: control.isPending,
        onSelect: () => control.reverify(list),
      },
    ];
  };

  return {
    controlsOf,
    actionsOf: (list) => [
      { label: 'Rename', icon: 'rename', onSelect: () => renaming.open(list) },
      ...downloadsOf(list),
      ...controlsOf(list),
      ...reverifyOf(list),
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
          isOpen={finishing.isOpen}
          title={`Finish ${finishing.subject?.name} now?`}
          confirmLabel="Finish now"
          isDestructive
          isBusy={control.isPending}
          onConfirm={confirmFinish}
          onCancel={finishing.close}
        >
          Rows that were not checked become unknown and cost nothing. This action cannot be undone.
        </ConfirmDialog>
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
