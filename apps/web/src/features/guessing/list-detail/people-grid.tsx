import type { Guess, GuessList } from '@assay/contract';
import { Title } from '@mantine/core';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { type PeopleView, usePeople } from '../api/get-people.ts';
import { guessColumns } from '../components/guess-columns.tsx';
import { GuessEvidence } from '../components/guess-evidence.tsx';

interface PeopleGridProps {
  /** Undefined while it loads: then this is a skeleton. */
  list: Pick<GuessList, 'id' | 'run_state'> | undefined;
  view: PeopleView;
  onPagingChange: (paging: Paging) => void;
}

/** The people of a list with what became of each, and the evidence when asked. */
export function PeopleGrid({ list, view, onPagingChange }: PeopleGridProps) {
  const people = usePeople(list?.id, view);
  const evidence = usePanel<Guess>();
  return (
    <section aria-label="People of the list">
      <Title order={2} mb="md">
        People
      </Title>
      <DataGrid<Guess>
        name="people"
        columns={guessColumns(evidence.open, { isPaused: list?.run_state === 'paused' })}
        rows={asyncStateOf(people)}
        rowKey={({ id }) => id}
        paging={view.paging}
        onPagingChange={onPagingChange}
        onRetry={() => void people.refetch()}
        empty={<EmptyState icon="search" title="Nobody in this list has this result" />}
      />
      <GuessEvidence panel={evidence} />
    </section>
  );
}
