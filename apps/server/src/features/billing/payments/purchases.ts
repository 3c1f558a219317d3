import type { Tx } from '../../../platform/database/database.ts';
import { grantCredits, returnCredits, takeBackCredits } from '../credit-ledger.ts';
import { findPurchase, insertPurchase } from './payments.store.ts';
import type { PaidMonth, RemoteInvoice, Reversal, ReversedCharge } from './payments-gateway.ts';

export const purchaseKeyPrefix = 'invoice:';
export const reversalKeyPrefix = 'refund:';

/** Grants the credits of a paid invoice, once. Returns whether it granted any. */
export async function grantPurchase(
  tx: Tx,
  { ownerId, invoice, now }: { ownerId: string; invoice: RemoteInvoice; now: Date },
): Promise<boolean> {
  const bought = readPurchase(invoice);
  if (!bought) return false;
  const { planCode, credits, description } = bought;
  const purchase = { ownerId, invoiceId: invoice.id, planCode, credits, paidCents: invoice.totalCents };
  const isNew = await insertPurchase(tx, { ...purchase, paidAt: invoice.paidAt ?? now });
  if (!isNew) return false;
  await grantCredits(tx, {
    ownerId,
    key: `${purchaseKeyPrefix}${invoice.id}`,
    credits,
    category: 'PURCHASE',
    source: 'SUBSCRIPTION',
    description,
    invoiceReference: invoice.id,
    now,
  });
  return true;
}

/** What an invoice bought: the full months that were paid at the plan's price. */
export function readPurchase({ isPaid, totalCents, months }: RemoteInvoice) {
  const paidMonths = months.filter(isPaidInFull);
  const [first] = paidMonths;
  if (!isPaid || totalCents <= 0 || !first) return undefined;
  return {
    planCode: first.plan.code,
    credits: paidMonths.reduce((sum, { plan, quantity }) => sum + plan.monthlyCredits * quantity, 0),
    description: `${first.plan.code} plan, ${dayOf(first.begin)} to ${dayOf(first.end)}`,
  };
}

const isPaidInFull = ({ plan, quantity, costCents }: PaidMonth): boolean =>
  costCents > 0 && costCents >= plan.monthlyCostCents * quantity;

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const dayOf = (date: Date): string => dayFormat.format(date);

/**
 * Takes back the share of an invoice's credits whose money went back, as far as they are neither spent nor on hold. It
 * does not take the rest later. When a reversal is undone, the customer gets back the credits it took.
 */
export async function applyReversals(
  tx: Tx,
  { ownerId, charge, now }: { ownerId: string; charge: ReversedCharge; now: Date },
): Promise<boolean> {
  const { invoiceId } = charge;
  const purchase = invoiceId === null ? undefined : await findPurchase(tx, { ownerId, invoiceId });
  if (!purchase) return false;
  let hasChanged = false;
  for (const reversal of charge.reversals) {
    const entry = {
      ownerId,
      key: `${reversalKeyPrefix}${reversal.id}`,
      category: 'REFUND',
      source: 'SUBSCRIPTION',
      description: describeReversal(reversal, purchase.plan_code),
      invoiceReference: purchase.invoice_id,
      now,
    } as const;
    // Rounded down, so that partial refunds together never take more than the invoice granted.
    // See docs/decisions/billing-refunds-round-down.md.
    const upToCredits = Math.floor((purchase.credits * reversal.amountCents) / charge.amountCents);
    const moved = reversal.isUndone
      ? (await returnCredits(tx, entry)).grantedCredits
      : (await takeBackCredits(tx, { ...entry, upToCredits })).takenCredits;
    hasChanged ||= moved > 0;
  }
  return hasChanged;
}

function describeReversal({ kind, isUndone }: Reversal, planCode: string): string {
  if (kind === 'refund') return `Refund of the ${planCode} plan${isUndone ? ' did not go through' : ''}`;
  return `Disputed payment of the ${planCode} plan${isUndone ? ' was confirmed' : ''}`;
}
