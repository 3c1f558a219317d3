import { FREE_PLAN, type Wallet } from '@assay/contract';

export type Subscription = Wallet['subscription'];
type Plan = Subscription['plan'];

/** As people call it: `Free`, `10K`. */
export const planName = ({ code }: Pick<Plan, 'code'>): string => (code === FREE_PLAN.code ? 'Free' : code);

/** The next invoice and its date. After a cancelled plan comes Free, without an invoice. */
export function nextInvoice({ plan, next_renewal_date, pending_change, owed }: Subscription): {
  readonly plan: Plan;
  readonly date: string;
} {
  // After an upgrade that is not paid yet, the provider asks for the larger plan.
  if (owed) return { plan: owed.plan, date: next_renewal_date };
  // A change beyond the next renewal leaves that renewal as it is.
  const isNext = pending_change !== null && new Date(pending_change.date) <= new Date(next_renewal_date);
  return isNext ? pending_change : { plan, date: next_renewal_date };
}
