import { FREE_CREDITS_WITHHELD_REASONS, type WithheldCredits } from '@assay/contract/operator';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import { LocalGrid } from '../local-grid.tsx';
import classes from '../operator.module.css';
import { onlyIf, useMay, useRows } from '../operator-api.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

/** New customers whose free credits wait for an operator. */
export function SignUpsSection() {
  const withheld = useRows('listWithheldCredits');
  const may = useMay();
  const [chosen, setChosen] = useState<WithheldCredits | null>(null);
  return (
    <>
      <p className={classes.note}>
        New customers without free credits, because their mail domain is disposable or has used up its day.
        Many at one domain within hours are usually one person.
      </p>
      <LocalGrid
        name="withheld credits"
        columns={[
          { header: 'Customer', cell: (row) => `${row.first_name} ${row.last_name}`.trim() || row.id },
          { header: 'Email', cell: ({ email_address }) => email_address, isText: true },
          {
            header: 'Why',
            cell: ({ withheld_because }) => FREE_CREDITS_WITHHELD_REASONS[withheld_because],
            isText: true,
          },
          { header: 'Since', cell: ({ creation_date }) => formatDate(creation_date) },
        ]}
        rows={asyncStateOf(withheld)}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/operator/customers/${id}`}
        rowMenu={{
          rowName: ({ email_address }) => email_address,
          actions: (row) =>
            onlyIf(may('releaseCredits'), {
              label: 'Grant free credits',
              icon: 'billing',
              onSelect: () => setChosen(row),
            }),
        }}
        onRetry={() => void withheld.refetch()}
        empty={
          <EmptyState
            icon="billing"
            title="Nobody waits for free credits"
            description="All new customers got theirs."
          />
        }
      />
      {chosen ? <ReleaseDialog customer={chosen} onClose={() => setChosen(null)} /> : null}
    </>
  );
}

function ReleaseDialog({ customer, onClose }: { customer: WithheldCredits; onClose: () => void }) {
  const [provesDomain, setProvesDomain] = useState(false);
  return (
    <ReasonDialog
      title="Grant free credits"
      confirmLabel="Grant"
      send={(api, reason) =>
        api.releaseCredits({
          params: { customer_id: customer.id },
          body: { proves_domain: provesDomain, reason },
        })
      }
      done="Free credits granted."
      onClose={onClose}
    >
      <p>{`${customer.email_address} gets the welcome credits, and the monthly ones from now on.`}</p>
      <Checkbox
        label="Lift the daily limit of this mail domain"
        description="For a company or school whose people sign up together."
        checked={provesDomain}
        onChange={(event) => setProvesDomain(event.currentTarget.checked)}
      />
    </ReasonDialog>
  );
}
