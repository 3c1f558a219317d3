import type { Suspect } from '@assay/contract/operator';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LocalGrid } from '../local-grid.tsx';
import classes from '../operator.module.css';
import { onlyIf, standingWords, useMay, useRows } from '../operator-api.ts';
import { StandingDialog } from './customer-detail.tsx';

export function AbuseSection() {
  const suspects = useRows('listSuspects');
  const may = useMay();
  const [chosen, setChosen] = useState<Suspect | null>(null);
  return (
    <>
      <p className={classes.note}>
        Customers whose checks of the last month look harvested or made up. Scores are renewed every hour. A
        high score proves nothing: look at the lists first.
      </p>
      <LocalGrid
        name="suspects"
        columns={[
          { header: 'Customer', cell: (row) => `${row.first_name} ${row.last_name}`.trim() || row.id },
          { header: 'Score', cell: ({ abuse }) => abuse.score, align: 'end' },
          { header: 'Signs', cell: ({ abuse }) => abuse.reasons.join(', '), isText: true },
          { header: 'Standing', cell: ({ standing }) => standingWords[standing] },
        ]}
        rows={asyncStateOf(suspects)}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/operator/customers/${id}`}
        rowMenu={{
          rowName: ({ email_address }) => email_address,
          actions: (suspect) =>
            onlyIf(may('setStanding'), {
              label: 'Change standing',
              icon: 'pause',
              onSelect: () => setChosen(suspect),
            }),
        }}
        onRetry={() => void suspects.refetch()}
        empty={
          <EmptyState
            icon="search"
            title="Nobody stands out"
            description="No customer of the last month shows a sign of harvesting."
          />
        }
      />
      {chosen ? <StandingDialog customer={chosen} onClose={() => setChosen(null)} /> : null}
    </>
  );
}
