import { FREE_PLAN, type Wallet } from '@assay/contract';
import { formatShortCount } from '../../shared/format/counts.ts';
import { daysUntil, formatMonthDay } from '../../shared/format/dates.ts';

const RENEWAL_DAYS_MAX = 30;

export interface PlanSummary {
  /** FREE, or the month's credits with PLAN. */
  readonly planLabel: string;
  readonly balance: string;
  readonly until: string;
  /** What differs from an ordinary month: a payment that is owed, or a plan that is about to change. */
  readonly notice: string | null;
  /** 0 to 100, of the month's credits; more than a month's credits is 100. */
  readonly balancePercent: number;
  readonly daysToRenewal: number;
  /** 0 to 100, of 30 days. */
  readonly renewalPercent: number;
}

export function summarizePlan({ balance, subscription }: Wallet, now: Date): PlanSummary {
  const { plan, next_renewal_date } = subscription;
  const daysToRenewal = daysUntil(next_renewal_date, now);
  return {
    planLabel: labelOf(plan),
    balance: formatShortCount(balance),
    until: `Until ${formatMonthDay(next_renewal_date)}`,
    notice: noticeOf(subscription),
    balancePercent: percentOf(balance, plan.monthly_credits),
    daysToRenewal,
    renewalPercent: percentOf(daysToRenewal, RENEWAL_DAYS_MAX),
  };
}

const labelOf = ({ code, monthly_credits }: Wallet['subscription']['plan']): string =>
  code === FREE_PLAN.code ? 'FREE' : `${formatShortCount(monthly_credits)} PLAN`;

function noticeOf({ status, pending_change }: Wallet['subscription']): string | null {
  if (status === 'past_due') return 'Payment failed';
  return pending_change && `${labelOf(pending_change.plan)} from ${formatMonthDay(pending_change.date)}`;
}

function percentOf(part: number, whole: number): number {
  if (whole <= 0) return part > 0 ? 100 : 0;
  return Math.min(100, Math.max(0, Math.round((part / whole) * 100)));
}
