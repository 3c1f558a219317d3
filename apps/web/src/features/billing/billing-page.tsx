import { useQuery } from '@tanstack/react-query';
import { walletQuery } from '../../shared/api/wallet-query.ts';
import { AsyncSlot, Skeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { formatDate } from '../../shared/format/dates.ts';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './billing-page.module.css';

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

export function BillingPage() {
  const wallet = useQuery(walletQuery(useServices()));
  return (
    <>
      <title>Billing · Assay</title>
      <PageHeader title="Billing" />
      <AsyncSlot
        state={asyncStateOf(wallet)}
        name="plan"
        skeleton={<Skeleton height="6rem" />}
        onRetry={() => void wallet.refetch()}
      >
        {({ subscription: { plan, next_renewal_date } }) => (
          <dl className={classes.plan}>
            <div>
              <dt>Plan</dt>
              <dd>{plan.code}</dd>
            </div>
            <div>
              <dt>Next invoice issue date</dt>
              <dd>{formatDate(next_renewal_date)}</dd>
            </div>
            <div>
              <dt>Invoice total</dt>
              <dd>{dollars.format(plan.monthly_cost_in_cents / 100)}</dd>
            </div>
          </dl>
        )}
      </AsyncSlot>
    </>
  );
}
