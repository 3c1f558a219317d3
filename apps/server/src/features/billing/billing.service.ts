import { FREE_PLAN, findPlan, type OwedPayment, type PendingChange, type Wallet } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findWallet, insertSubscription, type WalletRow } from './billing.store.ts';
import { openWallet } from './credit-ledger.store.ts';
import { renewalAfter } from './renewal-date.ts';
import { pausedUntil } from './top-up/top-up.ts';

export interface WalletParts {
  readonly db: Db;
  readonly clock: Clock;
  /** How long a failed payment may stay unpaid before the plan ends. */
  readonly graceDays: number;
}

export async function getWallet({ db, clock, graceDays }: WalletParts, ownerId: AccountId): Promise<Wallet> {
  const wallet = await findWallet(db, ownerId);
  if (!wallet) throw new Error(`Customer ${ownerId} has no wallet.`);

  const now = clock.now();
  // The renewal job may be some seconds late. The customer always sees a date in the future.
  const nextRenewal =
    wallet.next_renewal_at > now ? wallet.next_renewal_at : renewalAfter(wallet.anchored_at, now);
  return {
    balance: wallet.available,
    held: wallet.held,
    frozen: wallet.frozen,
    low_balance_threshold: wallet.low_threshold,
    top_up_stopped_because: wallet.top_up_stopped_because,
    top_up_paused_until:
      pausedUntil({ isOn: true, capReachedAt: wallet.top_up_cap_reached_at }, now)?.toISOString() ?? null,
    free_credits_withheld: wallet.free_credits_withheld,
    subscription: {
      status: wallet.past_due_since ? 'past_due' : 'active',
      next_renewal_date: nextRenewal.toISOString(),
      plan: planAnswer(wallet.plan_code),
      pending_change: pendingChangeAnswer(wallet),
      owed: owedAnswer(wallet, graceDays),
    },
  };
}

function planAnswer(code: string): Wallet['subscription']['plan'] {
  const plan = findPlan(code);
  if (!plan) throw new Error(`Plan ${code} is not in the price list.`);
  return {
    code: plan.code,
    monthly_credits: plan.monthlyCredits,
    monthly_cost_in_cents: plan.monthlyCostCents,
  };
}

const dayMs = 86_400_000;

function owedAnswer(wallet: WalletRow, graceDays: number): OwedPayment | null {
  const {
    past_due_since: since,
    owed_invoice_id: invoiceId,
    owed_cents: cents,
    owed_plan_code: planCode,
  } = wallet;
  if (since === null || invoiceId === null || cents === null || planCode === null) return null;
  const until = new Date(since.getTime() + graceDays * dayMs);
  return {
    invoice_id: invoiceId,
    amount_in_cents: cents,
    plan: planAnswer(planCode),
    until: until.toISOString(),
  };
}

function pendingChangeAnswer(wallet: WalletRow): PendingChange | null {
  const { pending_kind: kind, pending_plan_code: planCode, pending_at: date } = wallet;
  if (kind === null || planCode === null || date === null) return null;
  return { kind, plan: planAnswer(planCode), date: date.toISOString() };
}

/** Opens an empty wallet and starts the Free plan for a new customer. */
export async function openBilling(
  tx: Tx,
  { ownerId, now }: { ownerId: AccountId; now: Date },
): Promise<void> {
  await openWallet(tx, { ownerId, now });
  await insertSubscription(tx, {
    ownerId,
    planCode: FREE_PLAN.code,
    anchoredAt: now,
    nextRenewalAt: renewalAfter(now, now),
  });
}
