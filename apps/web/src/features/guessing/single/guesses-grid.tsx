import type { Guess } from '@assay/contract';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import { guessColumns } from '../components/guess-columns.tsx';
import { GuessEvidence } from '../components/guess-evidence.tsx';

export function GuessesGrid({ page, paging, onPagingChange }: GridPageProps<Guess>) {
  const evidence = usePanel<Guess>();
  return (
    <>
      <DataGrid<Guess>
        name="single guesses"
        columns={[
          ...guessColumns(evidence.open),
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(page)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void page.refetch()}
        empty={
          <EmptyState
            icon="guessing"
            title="No guessed emails yet"
            description="Name a person and their company above. The likely addresses are asked for one after the other, and the one that exists appears here."
          />
        }
      />
      <GuessEvidence panel={evidence} />
    </>
  );
}
