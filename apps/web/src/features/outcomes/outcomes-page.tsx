import type { OutcomeCounts, OutcomeKind } from '@assay/contract';
import { Button, NativeSelect } from '@mantine/core';
import { Link } from 'react-router';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { ChooseFiles } from '../../shared/components/choose-files.tsx';
import { DataGrid } from '../../shared/components/data-grid/data-grid.tsx';
import { GridTools } from '../../shared/components/data-grid/grid-tools.tsx';
import { useFilter } from '../../shared/components/data-grid/use-filter.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { lateDialog } from '../../shared/components/late-parts.tsx';
import { NoMatch } from '../../shared/components/no-match.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { SearchField } from '../../shared/components/search-field.tsx';
import { usePanel } from '../../shared/components/use-panel.ts';
import { formatCredits } from '../../shared/format/counts.ts';
import { formatDate } from '../../shared/format/dates.ts';
import { type OutcomeFilter, useOutcomes } from './api/outcomes.ts';
import { kindLabels, sourceLabels } from './outcome-file-words.ts';

const UploadDialog = lateDialog(async () => (await import('./upload-dialog.tsx')).UploadDialog);

const SEARCH_LENGTH_MAX = 254;
const NO_FILTER: OutcomeFilter = { kind: '', search: '' };
const kinds = Object.keys(kindLabels) as OutcomeKind[];

export function OutcomesPage() {
  const { filter, isFiltered, show, showAll, paging, setPaging } = useFilter(NO_FILTER);
  const uploading = usePanel<{ readonly file: File; readonly number: number }>();
  const outcomes = useOutcomes(filter, paging);
  return (
    <>
      <title>Outcomes · Assay</title>
      <PageHeader
        title="Outcomes"
        description="What happened to your mails after you sent them. Each outcome stands beside the check of its address."
        back={{ to: '/account', label: 'Back to account' }}
      />
      <GridTools>
        <SearchField
          label="Search outcomes"
          lengthMax={SEARCH_LENGTH_MAX}
          search={filter.search}
          onSearch={(search) => show({ search })}
        />
        <NativeSelect
          aria-label="What happened"
          value={filter.kind}
          data={[
            { value: '', label: labelWith('All outcomes', totalOf(outcomes.data?.counts)) },
            ...kinds.map((kind) => ({
              value: kind,
              label: labelWith(kindLabels[kind], outcomes.data?.counts[kind]),
            })),
          ]}
          onChange={({ currentTarget }) => show({ kind: currentTarget.value as OutcomeKind | '' })}
        />
        <ChooseFiles
          multiple={false}
          label="File of outcomes"
          accept=".csv,.tsv,.txt,.xlsx,.ods,.zip,.eml,.mbox,.mbx,text/csv,text/plain,message/rfc822,application/mbox,application/zip"
          onChoose={([file]) =>
            file && uploading.open({ file, number: (uploading.subject?.number ?? 0) + 1 })
          }
        >
          {(props) => (
            <Button {...props} leftSection={<Icon name="upload" size={18} />}>
              Upload file
            </Button>
          )}
        </ChooseFiles>
        <Button component={Link} to="/account/feeds" variant="default">
          Feeds
        </Button>
      </GridTools>
      <DataGrid
        name="outcomes"
        columns={[
          { header: 'Address', cell: ({ email }) => email },
          { header: 'What happened', cell: ({ kind }) => kindLabels[kind], compact: 'beside' },
          { header: 'Why', cell: ({ reason }) => reason.text, isText: true },
          { header: 'When', cell: ({ at }) => formatDate(at), compact: 'labelled' },
          { header: 'From', cell: ({ source }) => sourceLabels[source], compact: 'labelled' },
        ]}
        rows={asyncStateOf(outcomes)}
        rowKey={({ number }) => String(number)}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void outcomes.refetch()}
        empty={
          isFiltered ? (
            <NoMatch
              title="No outcome matches"
              description="No outcome has this kind and contains this in its address."
              showAll="Show all outcomes"
              onShowAll={showAll}
            />
          ) : (
            <EmptyState
              icon="upload"
              title="No outcomes yet"
              description="Upload a table of bounces, or mails that came back (.eml, mbox, zip), or let your sender post them to a feed."
            />
          )
        }
      />
      {uploading.subject ? (
        <UploadDialog
          key={uploading.subject.number}
          isOpen={uploading.isOpen}
          file={uploading.subject.file}
          onClose={uploading.close}
        />
      ) : null}
    </>
  );
}

const labelWith = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} (${formatCredits(count)})`;

const totalOf = (counts: OutcomeCounts | undefined): number | undefined =>
  counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
