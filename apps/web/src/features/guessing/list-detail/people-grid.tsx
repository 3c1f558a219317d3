import type { Guess } from '@assay/contract';
import { Title } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { usePanel } from '../../../shared/components/use-panel.ts';
import { usePeople } from '../api/get-people.ts';
import { guessColumns } from '../components/guess-columns.tsx';
import { GuessEvidence } from '../components/guess-evidence.tsx';

/** The people of a list with what became of each, and the evidence when asked. */
export function PeopleGrid({ listId }: { listId: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const people = usePeople(listId, paging);
  const evidence = usePanel<Guess>();
  return (
    <section aria-label="People of the list">
      <Title order={2} mb="md">
        People
      </Title>
      <DataGrid<Guess>
        name="people"
        columns={guessColumns(evidence.open)}
        rows={asyncStateOf(people)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void people.refetch()}
        empty={<EmptyState title="Nobody is in this list" />}
      />
      <GuessEvidence panel={evidence} />
    </section>
  );
}
