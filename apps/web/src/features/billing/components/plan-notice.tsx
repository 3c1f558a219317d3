import { Button } from '@mantine/core';
import { formatDate } from '../../../shared/format/dates.ts';
import { planName, type Subscription } from '../../../shared/plans/next-invoice.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import { KeepPlanButton } from './keep-plan-button.tsx';
import { Notice } from './notice.tsx';

/** What the customer should know about the plan besides its figures: a payment that is owed, a change to come. */
export function PlanNotices({ subscription }: { subscription: Subscription }) {
  return (
    <>
      {subscription.status === 'past_due' ? <OwedPayment /> : null}
      {subscription.pending_change ? (
        <Notice action={<KeepPlanButton />}>{changeWords(subscription)}</Notice>
      ) : null}
    </>
  );
}

function changeWords({ plan, pending_change }: Subscription): string {
  if (!pending_change) return '';
  const date = formatDate(pending_change.date);
  if (pending_change.kind === 'cancellation') {
    return `Your plan is cancelled. You have ${planName(plan)} until ${date}, then Free.`;
  }
  return `Your plan changes to ${planName(pending_change.plan)} on ${date}. You have ${planName(plan)} until then.`;
}

function OwedPayment() {
  const openPortal = useOpenPortal();
  return (
    <Notice
      isUrgent
      action={
        <Button variant="default" onClick={() => openPortal.mutate(undefined)} loading={openPortal.isPending}>
          Pay now
        </Button>
      }
    >
      Your last payment did not go through. Pay it, or use another card, to keep your plan.
    </Notice>
  );
}
