import type { GuessList } from '@assay/contract';
import type { RowAction } from '../../../shared/components/data-grid/row-action.ts';
import { peopleText } from '../../../shared/format/count-words.ts';
import { type ListActions, useListDialogs } from '../../../shared/lists/use-list-dialogs.tsx';
import { useControlList } from '../api/control-list.ts';
import { useDeleteList } from '../api/delete-list.ts';
import { useExportList } from '../api/export-list.ts';
import { useRenameList } from '../api/rename-list.ts';
import { peopleWords } from '../bulk/people-words.ts';

export function useListActions({ onDeleted }: { onDeleted?: () => void } = {}): ListActions<GuessList> {
  const exportList = useExportList();
  const downloadsOf = (list: GuessList): RowAction[] => [
    { label: 'Download all people', icon: 'download', onSelect: () => exportList.mutate({ list }) },
    ...(list.guess_metrics.found > 0
      ? [
          {
            label: 'Download found emails',
            icon: 'download' as const,
            onSelect: () => exportList.mutate({ list, outcomes: ['FOUND'] }),
          },
        ]
      : []),
  ];
  return useListDialogs({
    useRename: useRenameList,
    deleteList: useDeleteList(),
    control: useControlList(),
    unknownsOf: ({ guess_metrics: { unknown: count } }) => ({
      count,
      noun: 'people',
      text: peopleText(count),
      creditsMax: count,
      notCharged: peopleWords.notCharged,
    }),
    downloadsOf,
    onDeleted,
  });
}
