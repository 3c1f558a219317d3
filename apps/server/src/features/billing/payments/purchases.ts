import type { Tx } from '../../../platform/database/database.ts';
import { grantCredits, takeBackCredits } from '../credit-ledger.ts';
import { findPurchase, insertPurchase } from './payments.store.ts';
import type { PaidMonth, RefundedCharge, RemoteInvoice } from './remote.ts';

export const purchaseKeyPrefix = 'invoice:';
export const refundKeyPrefix = 'refund:';

/** Gives the credits of a paid invoice, once. One of 0, or one that is not paid, gives nothing. */
export async function grantPurchase(
  tx: Tx,
  { ownerId, invoice, now }: { ownerId: string; invoice: RemoteInvoice; now: Date },
): Promise<boolean> {
  const months = invoice.months.filter(isPaidInFull);
  const [first] = months;
  if (!invoice.isPaid || invoice.totalCents <= 0 || !first) return false;

  const credits = months.reduce((sum, { plan, quantity }) => sum + plan.monthlyCredits * quantity, 0);
  const isNew = await insertPurchase(tx, {
    ownerId,
    invoiceId: invoice.id,
    planCode: first.plan.code,
    credits,
    paidCents: invoice.totalCents,
    paidAt: invoice.paidAt ?? now,
  });
  if (!isNew) return false;
  await grantCredits(tx, {
    ownerId,
    key: `${purchaseKeyPrefix}${invoice.id}`,
    credits,
    category: 'PURCHASE',
    source: 'SUBSCRIPTION',
    description: `${first.plan.code} plan, ${dayOf(first.begin)} to ${dayOf(first.end)}`,
    invoiceReference: invoice.id,
    now,
  });
  return true;
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
 * Takes back the share of an invoice's credits that was refunded, as far as it is neither spent nor on hold. What was
 * not there at that moment is not asked for later.
 */
export async function takeBackRefunds(
  tx: Tx,
  { ownerId, charge, now }: { ownerId: string; charge: RefundedCharge; now: Date },
): Promise<boolean> {
  const { invoiceId } = charge;
  const purchase = invoiceId === null ? undefined : await findPurchase(tx, { ownerId, invoiceId });
  if (!purchase) return false;
  let hasChanged = false;
  for (const refund of charge.refunds) {
    // Rounded down for each, so that in parts never more is taken than was given.
    const upToCredits = Math.floor((purchase.credits * refund.amountCents) / charge.amountCents);
    const { takenCredits } = await takeBackCredits(tx, {
      ownerId,
      key: `${refundKeyPrefix}${refund.id}`,
      upToCredits,
      category: 'REFUND',
      source: 'SUBSCRIPTION',
      description: `Refund of the ${purchase.plan_code} plan`,
      invoiceReference: purchase.invoice_id,
      now,
    });
    hasChanged ||= takenCredits > 0;
  }
  return hasChanged;
}
