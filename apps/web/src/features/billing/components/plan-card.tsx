import type { Wallet } from '@assay/contract';
import { Button, Group } from '@mantine/core';
import { Skeleton } from '../../../shared/components/async-slot.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import { formatCents } from '../../../shared/format/money.ts';
import { nextInvoice, planName, type Subscription } from '../../../shared/plans/next-invoice.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import card from './card.module.css';
import { Fact, FactSkeleton, Facts } from './facts.tsx';
import { FrozenNotice } from './frozen-notice.tsx';
import { PlanNotices } from './plan-notice.tsx';

interface PlanCardProps {
  wallet: Wallet;
  onCompare: () => void;
}

export function PlanCard({ wallet: { subscription, frozen }, onCompare }: PlanCardProps) {
  const openPortal = useOpenPortal();
  const { plan, pending_change } = subscription;
  const invoice = nextInvoice(subscription);
  const isLast = pending_change?.kind === 'cancellation' && invoice.plan === pending_change.plan;
  return (
    <section className={card.row} aria-label="Your plan">
      <Facts>
        <Fact name="Plan" aside={`${formatCredits(plan.monthly_credits)} credits a month`}>
          {planName(plan)}
        </Fact>
        <Fact name="Next invoice issue date" aside={isLast ? 'The plan ends' : null}>
          {formatDate(invoice.date)}
        </Fact>
        <Fact name="Invoice total" aside={invoiceAside(subscription, invoice)}>
          {formatCents(invoice.plan.monthly_cost_in_cents)}
        </Fact>
      </Facts>
      <Group gap="xs">
        <Button variant="default" onClick={onCompare}>
          Compare Plans
        </Button>
        <Button onClick={() => openPortal.mutate({})} loading={openPortal.isPending}>
          Upgrade Plan
        </Button>
      </Group>
      <PlanNotices subscription={subscription} />
      {frozen === 0 ? null : <FrozenNotice />}
    </section>
  );
}

function invoiceAside({ plan, owed }: Subscription, invoice: ReturnType<typeof nextInvoice>): string | null {
  if (owed) return 'if you pay what is owed';
  return invoice.plan.code === plan.code ? null : `${planName(invoice.plan)} plan`;
}

/** As high as the card that follows. */
export const PlanCardSkeleton = () => (
  <div className={card.row}>
    <Facts>
      <FactSkeleton name="Plan" width="4rem" asideWidth="8rem" />
      <FactSkeleton name="Next invoice issue date" width="8rem" />
      <FactSkeleton name="Invoice total" width="4rem" />
    </Facts>
    <Skeleton width="17rem" height="2.25rem" />
  </div>
);
