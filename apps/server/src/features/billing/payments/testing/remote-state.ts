import { findPlan, type PlanCode, type PlanTier } from '@assay/contract';
import type { RemoteInvoice, RemoteSubscription } from '../payments-gateway.ts';

export const day = (date: string): Date => new Date(`2026-${date}T10:00:00Z`);

export function tier(code: PlanCode): PlanTier {
  const found = findPlan(code);
  if (!found) throw new Error(`no plan ${code}`);
  return found;
}

/** An invoice for one month from 8 March on. */
export const invoiceFor = (code: PlanCode, changes: Partial<RemoteInvoice> = {}): RemoteInvoice => ({
  id: 'in_1',
  customerId: 'cus_1',
  isPaid: true,
  dueCents: 0,
  issuedAt: day('03-08'),
  totalCents: tier(code).monthlyCostCents,
  paidCents: tier(code).monthlyCostCents,
  paidAt: day('03-08'),
  months: [
    {
      plan: tier(code),
      quantity: 1,
      costCents: tier(code).monthlyCostCents,
      begin: day('03-08'),
      end: day('04-08'),
    },
  ],
  ...changes,
});

/** An active subscription at the provider, in its month from 8 March on. */
export const remote = (
  code: PlanCode,
  { isPaid = true, ...changes }: Partial<RemoteSubscription> & { isPaid?: boolean } = {},
): RemoteSubscription => ({
  id: 'sub_1',
  state: 'active',
  plan: tier(code),
  createdAt: day('01-01'),
  anchoredAt: day('03-08'),
  periodStart: day('03-08'),
  periodEnd: day('04-08'),
  endedAt: null,
  pendingChange: null,
  latestInvoice: invoiceFor(code, { isPaid, paidAt: isPaid ? day('03-08') : null }),
  ...changes,
});
