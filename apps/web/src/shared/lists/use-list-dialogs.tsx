import type { ComponentProps, ReactNode } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import type { RowAction } from '../components/data-grid/row-action.ts';
import { lateDialog } from '../components/late-parts.tsx';
import { usePanel } from '../components/use-panel.ts';
import { creditsText } from '../format/count-words.ts';
import { isolated } from '../format/isolated.ts';
import type { AnyList, NamedList } from './any-list.ts';
import { DeletionNote } from './deletion-note.tsx';
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

/** The rows of a list that can be verified again. */
interface UnknownRows {
  readonly count: number;
  /** What they are called: 'emails'. */
  readonly noun: string;
  /** 'N emails'. */
  readonly text: string;
  /** The most that verifying them again costs. */
  readonly creditsMax: number;
  /** What of it is not charged. */
  readonly notCharged: string;
}

interface ListDialogsOptions<List> {
  readonly useRename: ComponentProps<typeof RenameListDialog>['useRename'];
  readonly deleteList: DeleteCall;
  readonly control: ListControl;
  readonly unknownsOf: (list: List) => UnknownRows;
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
  const reverifying = usePanel<List>();

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

  const confirmReverify = () => {
    if (reverifying.subject) control.reverify(reverifying.subject, { onSettled: reverifying.close });
  };

  const runControlsOf = (list: List): RowAction[] => {
    const { run_state } = list;
    if (run_state === null || run_state === 'finishing' || run_state === 'failed') return [];
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
    return [run_state === 'paused' ? resume : pause, ...(list.preparation === null ? [finish] : [])];
  };

  const reverifyOf = (list: List): RowAction[] => {
    const { count, noun } = unknownsOf(list);
    if (list.run_state !== null || count === 0) return [];
    return [
      {
        label: `Re-verify unknown ${noun}`,
        icon: 'retry',
        isDisabled: control.isPending,
        onSelect: () => reverifying.open(list),
      },
    ];
  };

  /** A list without rows is cancelled, or cleared away, by deleting it. */
  const cancelOf = (list: List): RowAction[] => {
    if (list.preparation === null) return [];
    const label = list.preparation.problem === null ? 'Cancel' : 'Delete';
    return [{ label, icon: 'remove', onSelect: () => deleting.open(list) }];
  };

  return {
    controlsOf: (list) => [...runControlsOf(list), ...cancelOf(list)],
    actionsOf: (list) => [
      { label: 'Rename', icon: 'rename', onSelect: () => renaming.open(list) },
      ...(list.preparation === null ? downloadsOf(list) : []),
      ...runControlsOf(list),
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
          title={`Finish ${isolated(finishing.subject?.name ?? '')} now?`}
          confirmLabel="Finish now"
          isDestructive
          isBusy={control.isPending}
          onConfirm={confirmFinish}
          onCancel={finishing.close}
        >
          Rows that were not checked become unknown and cost nothing. This action cannot be undone.
        </ConfirmDialog>
        <ReverifyQuestion
          isOpen={reverifying.isOpen}
          unknowns={reverifying.subject && unknownsOf(reverifying.subject)}
          isBusy={control.isPending}
          onConfirm={confirmReverify}
          onCancel={reverifying.close}
        />
        <ConfirmDialog
          isOpen={deleting.isOpen}
          title={`Are you sure you want to delete ${isolated(deleting.subject?.name ?? '')}?`}
          confirmLabel="Delete"
          isDestructive
          isBusy={deleteList.isPending}
          onConfirm={confirmDelete}
          onCancel={deleting.close}
        >
          <DeletionNote lists={deleting.subject ? [deleting.subject] : []} />
        </ConfirmDialog>
      </>
    ),
  };
}

type ReverifyQuestionProps = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'isOpen' | 'isBusy' | 'onConfirm' | 'onCancel'
> & { unknowns: UnknownRows | undefined };

/** Says the price before it is paid. */
function ReverifyQuestion({ unknowns, ...question }: ReverifyQuestionProps) {
  if (unknowns === undefined) return null;
  const { text, noun, creditsMax, notCharged } = unknowns;
  return (
    <ConfirmDialog {...question} title={`Re-verify unknown ${noun}`} confirmLabel="Verify again">
      {text} of this list will be verified again, in a list of their own.{' '}
      {creditsMax === 0 ? (
        'This is free.'
      ) : (
        <>
          You will be charged up to <strong>{creditsText(creditsMax)}</strong>. {notCharged}
        </>
      )}
    </ConfirmDialog>
  );
}
