import type { Wallet } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import { nextInvoice, planName } from '../../../shared/plans/next-invoice.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import { formatCents } from '../plan-offers.ts';
import classes from './plan-card.module.css';
import { PlanNotices } from './plan-notice.tsx';

interface PlanCardProps {
  wallet: Wallet;
  onCompare: () => void;
}

export function PlanCard({ wallet: { subscription }, onCompare }: PlanCardProps) {
  const openPortal = useOpenPortal();
  const { plan, pending_change } = subscription;
  const invoice = nextInvoice(subscription);
  const isLast = pending_change?.kind === 'cancellation' && invoice.plan === pending_change.plan;
  return (
    <section className={classes.root} aria-label="Your plan">
      <dl className={classes.facts}>
        <div>
          <dt>Plan</dt>
          <dd>{planName(plan)}</dd>
          <dd className={classes.aside}>{formatCredits(plan.monthly_credits)} credits a month</dd>
        </div>
        <div>
          <dt>Next invoice issue date</dt>
          <dd>{formatDate(invoice.date)}</dd>
          {isLast ? <dd className={classes.aside}>The plan ends</dd> : null}
        </div>
        <div>
          <dt>Invoice total</dt>
          <dd>{formatCents(invoice.plan.monthly_cost_in_cents)}</dd>
          {invoice.plan.code === plan.code ? null : (
            <dd className={classes.aside}>{planName(invoice.plan)} plan</dd>
          )}
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
      <PlanNotices subscription={subscription} />
    </section>
  );
}
