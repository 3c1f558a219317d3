import type { ValidationList } from '@assay/contract';
import { Button } from '@mantine/core';
import { Icon } from '../../../shared/components/icon.tsx';
import { emailsText } from '../../../shared/format/count-words.ts';
import { DownloadFormat, useDownloadFormat } from '../../../shared/list-summary/download-format.tsx';
import { ListSummary } from '../../../shared/list-summary/list-summary.tsx';
import { excludedWords, fileRowsOf } from '../../../shared/lists/file-rows.ts';
import { ListFacts } from '../../../shared/lists/list-facts.tsx';
import { useExportList } from '../api/export-list.ts';
import { verificationWords } from '../import/verification-words.ts';
import { categoriesOf } from './list-categories.ts';
import { ShareDownload } from './share-download.tsx';
import { useEmailsView } from './use-emails-view.ts';

/** How the emails of a list divide, and the download of the chosen part. The chosen cards also filter the emails below. */
export function ListResults({ list }: { list: ValidationList }) {
  const exportList = useExportList();
  const [format, setFormat] = useDownloadFormat();
  const { view, narrow } = useEmailsView();
  // Only lists that have counted them, and have some, offer them.
  const hasSafe = list.safe_emails !== null && list.safe_emails > 0;
  return (
    <ListSummary
      categories={categoriesOf(list)}
      completed={list.validation_email_metrics.completed}
      total={list.total_emails}
      isDownloading={exportList.isPending}
      chosen={view.verdicts}
      onChoose={(change) => narrow(({ verdicts }) => ({ verdicts: change(verdicts) }), { isPlace: true })}
      onDownload={(verdicts) => exportList.mutate({ list, status: verdicts, format })}
      {...(hasSafe && {
        safe: (isPrimary) => (
          <SafeDownload
            list={list}
            isPrimary={isPrimary}
            isBusy={exportList.isPending}
            onDownload={() => exportList.mutate({ list, status: ['VALID'], safe: true, format })}
          />
        ),
      })}
      options={
        <>
          <DownloadFormat value={format} onChange={setFormat} />
          <ShareDownload list={list} chosen={view.verdicts} format={format} />
        </>
      }
      facts={
        <ListFacts
          list={list}
          rows={fileRowsOf(list.total_emails, list.excluded_emails)}
          note={excludedWords(list.excluded_emails, verificationWords)}
        />
      }
    />
  );
}

interface SafeDownloadProps {
  list: ValidationList;
  isPrimary: boolean;
  isBusy: boolean;
  onDownload: () => void;
}

const SAFE_MEANING = 'Valid, not disposable, and a person rather than a role such as info@.';

const SafeDownload = ({
  list: { safe_emails, status },
  isPrimary,
  isBusy,
  onDownload,
}: SafeDownloadProps) => (
  <Button
    variant={isPrimary ? 'filled' : 'default'}
    title={SAFE_MEANING}
    aria-description={SAFE_MEANING}
    loading={isBusy}
    onClick={onDownload}
    leftSection={<Icon name="download" size={18} />}
  >
    {status === 'COMPLETE' ? `Safe to send: ${emailsText(safe_emails ?? 0)}` : 'Safe to send so far'}
  </Button>
);
