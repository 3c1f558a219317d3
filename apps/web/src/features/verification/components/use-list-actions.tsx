import { type ValidationList, VERDICTS } from '@assay/contract';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import type { RowAction } from '../../../shared/components/data-grid/row-action-menu.tsx';
import { RenameListDialog } from '../../../shared/components/rename-list-dialog.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { useDeleteList } from '../api/delete-list.ts';
import { useExportList } from '../api/export-list.ts';
import { useRenameList } from '../api/rename-list.ts';

interface ListActions {
  /** What can be done with a list: the same in the menu of its row and on its own page. */
  actionsOf(list: ValidationList): RowAction[];
  /** To be placed once, anywhere on the page. */
  readonly dialogs: ReactNode;
}

export function useListActions({ onDeleted }: { onDeleted?: () => void } = {}): ListActions {
  const renaming = usePanel<ValidationList>();
  const deleting = usePanel<ValidationList>();
  const exportList = useExportList();
  const deleteList = useDeleteList();

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
      {
        label: 'Download all emails',
        icon: 'download',
        onSelect: () => exportList.mutate({ list, verdicts: VERDICTS, rows: 'all' }),
      },
      ...(list.email_metrics.valid_emails > 0
        ? [
            {
              label: 'Download valid emails',
              icon: 'download' as const,
              onSelect: () => exportList.mutate({ list, verdicts: ['VALID'] }),
            },
          ]
        : []),
      { label: 'Delete', icon: 'remove', isDestructive: true, onSelect: () => deleting.open(list) },
    ],
    dialogs: (
      <>
        <RenameListDialog
          isOpen={renaming.isOpen}
          list={renaming.subject}
          useRename={useRenameList}
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
