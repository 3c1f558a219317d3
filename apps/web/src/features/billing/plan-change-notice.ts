import { useEffect } from 'react';
import { tabStorage } from '../../shared/cache/browser-storage.ts';
import { snackbar } from '../../shared/components/snackbar.tsx';
import { formatMonthDay } from '../../shared/format/dates.ts';
import { planName, type Subscription } from '../../shared/plans/next-invoice.ts';

/** Lives as long as the tab, which is as long as a trip to the portal can take. */
const KEY = 'billing_subscription_before_portal';

/** Remembers the subscription as it is before the browser leaves for the portal or the checkout. */
export const rememberSubscription = (subscription: Subscription): void =>
  tabStorage.setItem(KEY, JSON.stringify(subscription));

export const forgetSubscription = (): void => tabStorage.removeItem(KEY);

/** What changed since the browser left. Null if nothing did, or if what was remembered cannot be read. */
function describeChangeSinceTrip(subscription: Subscription): string | null {
  try {
    const before: Subscription | null = JSON.parse(tabStorage.getItem(KEY) ?? 'null');
    return before && describeChange(before, subscription);
  } catch {
    return null;
  }
}

/**
 * Back from the portal, says once what changed there. The provider's event may come after the browser, so it waits for
 * the change as long as the page is open.
 */
export function usePlanChangeNotice(subscription: Subscription | undefined): void {
  useEffect(() => {
    const words = subscription ? describeChangeSinceTrip(subscription) : null;
    if (words === null) return;
    forgetSubscription();
    snackbar.success(words);
  }, [subscription]);
}

/** The difference in a sentence; null when there is none. */
export function describeChange(before: Subscription, after: Subscription): string | null {
  if (before.plan.code !== after.plan.code) return `Your plan is now ${planName(after.plan)}.`;
  const pending = after.pending_change;
  if (pending && !isSameChange(before.pending_change, pending)) {
    const date = formatMonthDay(pending.date);
    return pending.kind === 'cancellation'
      ? `Your plan was cancelled; it ends on ${date}.`
      : `Your plan changes to ${planName(pending.plan)} on ${date}.`;
  }
  if (before.pending_change && !pending) return 'Your plan is kept.';
  if (before.status === 'past_due' && after.status === 'active') return 'Your payment went through.';
  return null;
}

const isSameChange = (a: Subscription['pending_change'], b: Subscription['pending_change']): boolean =>
  a?.kind === b?.kind && a?.plan.code === b?.plan.code && a?.date === b?.date;
