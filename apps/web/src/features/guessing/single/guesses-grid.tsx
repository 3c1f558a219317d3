import type { Guess } from '@assay/contract';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import type { useGuesses } from '../api/get-guesses.ts';
import { GuessAddress, GuessResult } from '../components/guess-cells.tsx';
import { GuessEvidence } from '../components/guess-evidence.tsx';
import { fullNameOf } from '../outcomes.ts';
import { useGuessEvents } from '../realtime/use-guess-events.ts';

interface GuessesGridProps {
  guesses: ReturnType<typeof useGuesses>;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
}

export function GuessesGrid({ guesses, paging, onPagingChange }: GuessesGridProps) {
  const evidence = usePanel<Guess>();
  useGuessEvents();
  return (
    <>
      <DataGrid<Guess>
        name="single guesses"
        columns={[
          { header: 'Name', cell: fullNameOf },
          { header: 'Company domain', isText: true, cell: ({ domain }) => domain },
          {
            header: 'Result',
            cell: (guess) => <GuessResult guess={guess} onOpen={() => evidence.open(guess)} />,
          },
          { header: 'Email', isText: true, cell: (guess) => <GuessAddress guess={guess} /> },
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(guesses)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void guesses.refetch()}
        empty={
          <EmptyState
            icon={<Icon name="guessing" size={32} />}
            title="No guessed emails yet"
            description="Name a person and their company above. The likely addresses are asked for one after the other, and the one that exists appears here."
          />
        }
      />
      <GuessEvidence panel={evidence} />
    </>
  );
}
