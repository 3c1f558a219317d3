import { FREE_PLAN, type Wallet } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import { formatCents } from '../plan-offers.ts';
import classes from './plan-card.module.css';

interface PlanCardProps {
  wallet: Wallet;
  onCompare: () => void;
}

export function PlanCard({ wallet, onCompare }: PlanCardProps) {
  const openPortal = useOpenPortal();
  const { plan, next_renewal_date } = wallet.subscription;
  return (
    <section className={classes.root} aria-label="Your plan">
      <dl className={classes.facts}>
        <div>
          <dt>Plan</dt>
          <dd>{plan.code === FREE_PLAN.code ? 'Free' : plan.code}</dd>
          <dd className={classes.aside}>{formatCredits(plan.monthly_credits)} credits a month</dd>
        </div>
        <div>
          <dt>Next invoice issue date</dt>
          <dd>{formatDate(next_renewal_date)}</dd>
        </div>
        <div>
          <dt>Invoice total</dt>
          <dd>{formatCents(plan.monthly_cost_in_cents)}</dd>
        </div>
      </dl>
      <Group gap="xs">
        <Button variant="default" onClick={onCompare}>
          Compare Plans
        </Button>
        <Button onClick={() => openPortal.mutate(undefined)} loading={openPortal.isPending}>
          Upgrade Plan
        </Button>
      </Group>
    </section>
  );
}
