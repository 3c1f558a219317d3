import { Button } from '@mantine/core';
import { formatDate } from '../../../shared/format/dates.ts';
import { formatCents } from '../../../shared/format/money.ts';
import { planName, type Subscription } from '../../../shared/plans/next-invoice.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import { KeepPlanButton } from './keep-plan-button.tsx';
import { Notice } from './notice.tsx';

/** What the customer should know about the plan besides its figures: a payment that is owed, a change to come. */
export function PlanNotices({ subscription }: { subscription: Subscription }) {
  return (
    <>
      {subscription.status === 'past_due' ? <OwedPayment subscription={subscription} /> : null}
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

/** What is owed, for what, and what happens otherwise. */
function owedWords({ plan, owed }: Subscription): string {
  if (!owed) return 'Your last payment did not go through. Pay it, or use another card, to keep your plan.';
  const amount = formatCents(owed.amount_in_cents);
  const until = formatDate(owed.until);
  return owed.plan.code === plan.code
    ? `Your last payment did not go through. You owe ${amount}. Pay it by ${until} to keep your ${planName(plan)} plan.`
    : `The payment for your upgrade did not go through. You owe ${amount} for the ${planName(owed.plan)} plan, which begins when it is paid. Without it, your plan ends on ${until}.`;
}

function OwedPayment({ subscription }: { subscription: Subscription }) {
  const openPortal = useOpenPortal();
  return (
    <Notice
      isUrgent
      action={
        <Button variant="default" onClick={() => openPortal.mutate({})} loading={openPortal.isPending}>
          Pay now
        </Button>
      }
    >
      {owedWords(subscription)}
    </Notice>
  );
}
