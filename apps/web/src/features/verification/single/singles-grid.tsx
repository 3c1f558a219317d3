import type { SingleValidation } from '@assay/contract';
import { Button } from '@mantine/core';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { GridTools } from '../../../shared/components/data-grid/grid-tools.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { NoMatch } from '../../../shared/components/no-match.tsx';
import { SearchField } from '../../../shared/components/search-field.tsx';
import signOnly from '../../../shared/components/sign-only.module.css';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import { isolated } from '../../../shared/format/isolated.ts';
import { DownloadFormat, useDownloadFormat } from '../../../shared/list-summary/download-format.tsx';
import { useDeleteSingle } from '../api/delete-single.ts';
import { useExportSingles } from '../api/export-singles.ts';
import { useStartSingle } from '../api/start-single.ts';
import { EmailResult } from '../components/email-result.tsx';
import { SandboxMark } from '../components/sandbox-mark.tsx';
import { SingleEvidence } from './single-evidence.tsx';
import { tellStarted } from './single-messages.ts';
import { singleWaitWords } from './single-wait-words.ts';
import classes from './singles-grid.module.css';

const SEARCH_LENGTH_MAX = 254;

export function SinglesGrid({
  page,
  paging,
  onPagingChange,
  filter,
  onFilterChange,
}: GridPageProps<SingleValidation>) {
  const evidence = usePanel<SingleValidation>();
  const deleting = usePanel<SingleValidation>();
  const deleteSingle = useDeleteSingle();
  const startSingle = useStartSingle();
  const exportSingles = useExportSingles();
  const [format, setFormat] = useDownloadFormat();
  const { search } = filter;
  const verifyAgain = (email: string) =>
    startSingle.mutate(email, {
      onSuccess: () => tellStarted(email),
      onError: ({ message }) => snackbar.error(message || 'An unexpected error occurred'),
    });
  return (
    <>
      <GridTools>
        <SearchField
          label="Search single verifications"
          lengthMax={SEARCH_LENGTH_MAX}
          search={search}
          onSearch={(text) => onFilterChange({ search: text })}
        />
        <DownloadFormat value={format} onChange={setFormat} />
        <Button
          className={signOnly.button}
          variant="default"
          disabled={(page.data?.total ?? 0) === 0}
          loading={exportSingles.isPending}
          leftSection={<Icon name="download" size={18} />}
          onClick={() => exportSingles.mutate({ list: { name: 'single verifications' }, search, format })}
        >
          <span className={signOnly.words}>Download</span>
        </Button>
      </GridTools>
      <DataGrid
        name="single verifications"
        columns={[
          {
            header: 'File name',
            cell: ({ email_address, sandbox }) => <SandboxMark name={email_address} isSandbox={sandbox} />,
          },
          {
            header: 'Status',
            cell: ({ status, waiting }) => (
              <>
                {statusWords[status]}
                {waiting ? (
                  <span className={classes.wait}>{singleWaitWords(waiting, new Date())}</span>
                ) : null}
              </>
            ),
          },
          {
            header: 'Result',
            compact: 'beside',
            cell: (single) => <EmailResult email={single} onOpen={() => evidence.open(single)} />,
          },
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(page)}
        rowKey={({ id }) => id}
        rowMenu={{
          rowName: ({ email_address }) => email_address,
          actions: (single) => [
            {
              label: 'Verify again (1 credit)',
              icon: 'retry',
              isDisabled: single.status !== 'COMPLETE' || startSingle.isPending,
              onSelect: () => verifyAgain(single.email_address),
            },
            { label: 'Delete', icon: 'remove', isDestructive: true, onSelect: () => deleting.open(single) },
          ],
        }}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void page.refetch()}
        empty={
          search === '' ? (
            <EmptyState
              icon="verification"
              title="No single verifications yet"
              description="Type an email above and press Enter. Its result appears here, with the reason for it."
            />
          ) : (
            <NoMatch
              title="No single verifications match"
              description="No address that you verified contains this."
              showAll="Show all single verifications"
              onShowAll={() => onFilterChange({ search: '' })}
            />
          )
        }
      />
      <SingleEvidence panel={evidence} />
      <ConfirmDialog
        isOpen={deleting.isOpen}
        title={`Are you sure you want to delete ${isolated(deleting.subject?.email_address ?? '')}?`}
        confirmLabel="Delete"
        isDestructive
        isBusy={deleteSingle.isPending}
        onConfirm={() => {
          if (deleting.subject) deleteSingle.mutate(deleting.subject, { onSettled: deleting.close });
        }}
        onCancel={deleting.close}
      >
        This action cannot be undone
      </ConfirmDialog>
    </>
  );
}

const statusWords: Readonly<Record<SingleValidation['status'], string>> = {
  PENDING: 'Pending',
  IN_PROGRESS: 'In progress',
  COMPLETE: 'Complete',
};
