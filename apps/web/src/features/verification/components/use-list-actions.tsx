import { type ValidationList, VERDICTS } from '@assay/contract';
import type { RowAction } from '../../../shared/components/data-grid/row-action.ts';
import { emailsText } from '../../../shared/format/count-words.ts';
import { type ListActions, useListDialogs } from '../../../shared/lists/use-list-dialogs.tsx';
import { useControlList } from '../api/control-list.ts';
import { useDeleteList } from '../api/delete-list.ts';
import { useExportList } from '../api/export-list.ts';
import { useRenameList } from '../api/rename-list.ts';
import { verificationWords } from '../import/verification-words.ts';

export function useListActions({ onDeleted }: { onDeleted?: () => void } = {}): ListActions<ValidationList> {
  const exportList = useExportList();
  const downloadsOf = (list: ValidationList): RowAction[] => [
    {
      label: 'Download all emails',
      icon: 'download',
      onSelect: () => exportList.mutate({ list, status: VERDICTS, rows: 'all' }),
    },
    ...(list.email_metrics.valid_emails > 0
      ? [
          {
            label: 'Download valid emails',
            icon: 'download' as const,
            onSelect: () => exportList.mutate({ list, status: ['VALID'] }),
          },
        ]
      : []),
  ];
  return useListDialogs({
    useRename: useRenameList,
    deleteList: useDeleteList(),
    control: useControlList(),
    unknownsOf: ({ email_metrics: { unknown_emails: count }, sandbox }) => ({
      count,
      noun: 'emails',
      text: emailsText(count),
      creditsMax: sandbox ? 0 : count,
      notCharged: verificationWords.notCharged,
    }),
    downloadsOf,
    onDeleted,
  });
}
