import type { ValidationList } from '@assay/contract';
import { Button } from '@mantine/core';
import { Icon } from '../../../shared/components/icon.tsx';
import { emailsText } from '../../../shared/format/count-words.ts';
import { DownloadFormat, useDownloadFormat } from '../../../shared/list-summary/download-format.tsx';
import { ListSummary } from '../../../shared/list-summary/list-summary.tsx';
import { excludedWords } from '../../../shared/lists/file-rows.ts';
import { useExportList } from '../api/export-list.ts';
import { verificationWords } from '../import/verification-words.ts';
import { categoriesOf } from './list-categories.ts';
import classes from './list-results.module.css';
import { ShareDownload } from './share-download.tsx';
import { useEmailsView } from './use-emails-view.ts';

/** How the emails of a list divide, and the download of the chosen part. The chosen cards also filter the emails below. */
export function ListResults({ list }: { list: ValidationList }) {
  const exportList = useExportList();
  const [format, setFormat] = useDownloadFormat();
  const { view, narrow } = useEmailsView();
  return (
    <ListSummary
      categories={categoriesOf(list)}
      completed={list.validation_email_metrics.completed}
      isDownloading={exportList.isPending}
      note={excludedWords(list.excluded_emails, verificationWords)}
      chosen={view.verdicts}
      onChoose={(change) => narrow(({ verdicts }) => ({ verdicts: change(verdicts) }), { isPlace: true })}
      onDownload={(verdicts) => exportList.mutate({ list, verdicts, format })}
      safe={
        <SafeDownload
          list={list}
          isBusy={exportList.isPending}
          onDownload={() => exportList.mutate({ list, verdicts: ['VALID'], safe: true, format })}
        />
      }
      options={
        <>
          <DownloadFormat value={format} onChange={setFormat} />
          <ShareDownload list={list} chosen={view.verdicts} format={format} />
        </>
      }
    />
  );
}

interface SafeDownloadProps {
  list: ValidationList;
  isBusy: boolean;
  onDownload: () => void;
}

/** Only lists that have counted them, and have some, offer them. */
function SafeDownload({ list: { safe_emails: count, status }, isBusy, onDownload }: SafeDownloadProps) {
  if (count === null || count === 0) return null;
  return (
    <div className={classes.safe}>
      <Button
        variant="default"
        loading={isBusy}
        onClick={onDownload}
        leftSection={<Icon name="download" size={18} />}
      >
        {status === 'COMPLETE' ? `Safe to send: ${emailsText(count)}` : 'Safe to send so far'}
      </Button>
      <span className={classes.why}>
        Valid, not disposable, and a person rather than a role such as info@.
      </span>
    </div>
  );
}
