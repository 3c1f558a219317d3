import type { ValidationList } from '@assay/contract';
import { ListSummary } from '../../../shared/list-summary/list-summary.tsx';
import { useExportList } from '../api/export-list.ts';
import { excludedWords } from './excluded-words.ts';
import { categoriesOf } from './list-categories.ts';

/** How the emails of a list divide, and the download of the chosen part. */
export function ListResults({ list }: { list: ValidationList }) {
  const exportList = useExportList();
  return (
    <ListSummary
      categories={categoriesOf(list)}
      completed={list.validation_email_metrics.completed}
      isDownloading={exportList.isPending}
      note={excludedWords(list)}
      onDownload={(verdicts) => exportList.mutate({ list, verdicts })}
    />
  );
}
