import { SUPPRESSION_REASONS, type Suppression, type SuppressionReason } from '@assay/contract';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { ChooseFiles } from '../../shared/components/choose-files.tsx';
import { ConfirmDialog } from '../../shared/components/confirm-dialog.tsx';
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
import { formatDate } from '../../shared/format/dates.ts';
import { isolated } from '../../shared/format/isolated.ts';
import {
  type SuppressionFilter,
  useExportSuppressions,
  useImportSuppressions,
  useRemoveSuppression,
  useSuppressions,
} from './api/suppressions.ts';
import type { ImportedRows } from './import-result.tsx';
import { reasonLabels, sourceLabels } from './suppression-words.ts';

const AddDialog = lateDialog(async () => (await import('./add-dialog.tsx')).AddDialog);
const ImportResult = lateDialog(async () => (await import('./import-result.tsx')).ImportResult);

const SEARCH_LENGTH_MAX = 254;
const NO_FILTER: SuppressionFilter = { reason: '', search: '' };

export function SuppressionsPage() {
  const { filter, isFiltered, show, showAll, paging, setPaging } = useFilter(NO_FILTER);
  const [isAdding, setIsAdding] = useState(false);
  const leaving = usePanel<Suppression>();
  const imported = usePanel<ImportedRows>();
  const suppressions = useSuppressions(filter, paging);
  const exportSuppressions = useExportSuppressions();
  const importSuppressions = useImportSuppressions();
  const remove = useRemoveSuppression();
  return (
    <>
      <title>Suppression · Assay</title>
      <PageHeader
        title="Suppression"
        description="Addresses and domains that are never asked and never charged: after hard bounces, complaints and unsubscribes, and those that you add."
        back={{ to: '/account', label: 'Back to account' }}
      />
      <GridTools>
        <SearchField
          label="Search suppressions"
          lengthMax={SEARCH_LENGTH_MAX}
          search={filter.search}
          onSearch={(search) => show({ search })}
        />
        <NativeSelect
          aria-label="Reason"
          value={filter.reason}
          data={[
            { value: '', label: 'All reasons' },
            ...SUPPRESSION_REASONS.map((reason) => ({ value: reason, label: reasonLabels[reason] })),
          ]}
          onChange={({ currentTarget }) => show({ reason: currentTarget.value as SuppressionReason | '' })}
        />
        <Button onClick={() => setIsAdding(true)}>Add</Button>
        <ChooseFiles
          multiple={false}
          label="CSV file of suppressions"
          accept=".csv,.txt,text/csv,text/plain"
          onChoose={([file]) => file && importSuppressions.mutate(file, { onSuccess: imported.open })}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={importSuppressions.isPending}
              leftSection={<Icon name="upload" size={18} />}
            >
              Import CSV
            </Button>
          )}
        </ChooseFiles>
        <Button
          variant="default"
          disabled={(suppressions.data?.total ?? 0) === 0}
          loading={exportSuppressions.isPending}
          leftSection={<Icon name="download" size={18} />}
          onClick={() => exportSuppressions.mutate({ list: { name: 'suppressions' }, filter })}
        >
          Download CSV
        </Button>
      </GridTools>
      <DataGrid
        name="suppressions"
        columns={[
          { header: 'Address or domain', cell: ({ target }) => target },
          { header: 'Reason', cell: ({ reason }) => reasonLabels[reason], compact: 'beside' },
          { header: 'Source', cell: ({ source }) => sourceLabels[source] },
          { header: 'Since', cell: ({ creation_date }) => formatDate(creation_date), compact: 'labelled' },
          {
            header: 'Ends',
            cell: ({ end_date }) => (end_date === null ? null : formatDate(end_date)),
            compact: 'labelled',
          },
        ]}
        rows={asyncStateOf(suppressions)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void suppressions.refetch()}
        rowMenu={{
          rowName: ({ target }) => target,
          actions: (entry) => [{ label: 'Remove', icon: 'remove', onSelect: () => leaving.open(entry) }],
        }}
        empty={
          isFiltered ? (
            <NoMatch
              title="No suppression matches"
              description="Nothing that is suppressed has this reason and contains this."
              showAll="Show all suppressions"
              onShowAll={showAll}
            />
          ) : (
            <EmptyState
              icon="finish"
              title="Nothing is suppressed"
              description="Add addresses and domains that you do not want to ask or mail, or report what came back after sending."
            />
          )
        }
      />
      <AddDialog isOpen={isAdding} onClose={() => setIsAdding(false)} />
      {imported.subject ? (
        <ImportResult isOpen={imported.isOpen} result={imported.subject} onClose={imported.close} />
      ) : null}
      <ConfirmDialog
        isOpen={leaving.isOpen}
        title="Remove suppression"
        confirmLabel="Remove"
        isBusy={remove.isPending}
        onConfirm={() =>
          leaving.subject && remove.mutate(leaving.subject.target, { onSettled: leaving.close })
        }
        onCancel={leaving.close}
      >
        {leaving.subject
          ? `${isolated(leaving.subject.target)} is asked and charged again from then on.`
          : null}
      </ConfirmDialog>
    </>
  );
}
