import type { Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { copyClaimedCredits, grantCredits, returnCredits, takeBackCredits } from '../credit-ledger.store.ts';
import { forgetDisputeStop, setOrderPaid, stopTopUp } from '../top-up/top-up.store.ts';
import { findPurchase, insertPurchase, recordReversal, setRefunded } from './payments.store.ts';
import type {
  PaidMonth,
  RemoteInvoice,
  RemotePayment,
  Reversal,
  ReversedCharge,
} from './payments-gateway.ts';

export const purchaseKeyPrefixes = { plan: 'invoice:', pack: 'pack:' } as const;
export const reversalKeyPrefix = 'refund:';

/** Grants the credits of a paid invoice, once. Returns whether it granted any. */
export async function grantPurchase(
  tx: Tx,
  { ownerId, invoice, now }: { ownerId: AccountId; invoice: RemoteInvoice; now: Date },
): Promise<boolean> {
  const bought = readPurchase(invoice);
  if (!bought) return false;
  const { planCode, credits, description } = bought;
  const isNew = await insertPurchase(tx, {
    ownerId,
    kind: 'plan',
    invoiceId: invoice.id,
    planCode,
    credits,
    paidCents: invoice.paidCents,
    totalCents: invoice.totalCents,
    paidAt: invoice.paidAt ?? now,
  });
  if (!isNew) return false;
  await grantCredits(tx, {
    ownerId,
    key: `${purchaseKeyPrefixes.plan}${invoice.id}`,
    credits,
    category: 'PURCHASE',
    source: 'SUBSCRIPTION',
    description,
    invoiceReference: invoice.id,
    now,
  });
  return true;
}

/** Grants the credits of a paid pack, once. Returns whether it granted any. */
export async function grantPack(
  tx: Tx,
  { ownerId, payment, now }: { ownerId: AccountId; payment: RemotePayment; now: Date },
): Promise<boolean> {
  const { pack, orderId, paidCents, paidAt } = payment;
  if (!payment.isPaid || !pack || paidCents < payment.priceCents) return false;
  const credits = pack.monthlyCredits;
  const isNew = await insertPurchase(tx, {
    ownerId,
    kind: 'pack',
    invoiceId: payment.id,
    planCode: pack.code,
    credits,
    paidCents,
    totalCents: paidCents,
    paidAt,
  });
  if (!isNew) return false;
  if (orderId !== null) {
    const paid = { packCode: pack.code, paymentReference: payment.id, paidCents, paidAt };
    await setOrderPaid(tx, { ownerId, orderId, ...paid });
  }
  await grantCredits(tx, {
    ownerId,
    key: `${purchaseKeyPrefixes.pack}${payment.id}`,
    credits,
    category: 'PACK',
    source: orderId === null ? 'CHECKOUT' : 'AUTOMATIC_TOP_UP',
    description: `${pack.code} credit pack`,
    invoiceReference: payment.id,
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
 * Takes back the share of an invoice's credits whose money went back, as far as they are not spent: those on hold when their
 * work gives them back (`takeClaimed`). When a reversal is undone, the customer gets back the credits it took. A dispute stops the
 * automatic top-up, also if its payment bought no credits: a customer who denies payments is not charged again by itself.
 */
export async function applyReversals(
  tx: Tx,
  { ownerId, charge, now }: { ownerId: AccountId; charge: ReversedCharge; now: Date },
): Promise<{ hasChanged: boolean; hasStoppedTopUp: boolean }> {
  const purchase = await findPurchaseOf(tx, { ownerId, charge });
  let hasChanged = false;
  let hasStoppedTopUp = false;
  for (const reversal of charge.reversals) {
    const moved = purchase
      ? await moveCredits(tx, { ownerId, purchase, charge, reversal, now })
      : { grantedCredits: 0, takenCredits: 0, heldCredits: 0 };
    hasChanged ||= moved.grantedCredits + moved.takenCredits > 0;
    // A dispute is recorded whatever its payment was for. A refund matters for the credits of its purchase only.
    if (reversal.kind === 'refund' && !purchase) continue;
    const status = reversal.isUndone ? 'won' : reversal.isDecided ? 'lost' : 'open';
    const recorded = await recordReversal(tx, {
      ownerId,
      reversalId: reversal.id,
      kind: reversal.kind,
      invoiceReference: purchase?.invoice_id ?? charge.id,
      key: reversalKeyOf(reversal),
      status,
      takenCredits: moved.takenCredits,
      claimedCredits: moved.heldCredits,
      now,
    });
    await copyClaimedCredits(tx, ownerId);
    if (reversal.kind === 'refund') continue;
    if (recorded === 'new' && status !== 'won') {
      hasStoppedTopUp = (await stopTopUp(tx, ownerId, 'disputed')) || hasStoppedTopUp;
    }
    if (recorded !== 'known' && status === 'won') await forgetDisputeStop(tx, ownerId);
    hasChanged ||= recorded !== 'known';
  }
  const refundedCents = refundedCentsOf(charge);
  if (purchase && purchase.refunded_cents !== refundedCents) {
    await setRefunded(tx, { ownerId, invoiceId: purchase.invoice_id, refundedCents });
    hasChanged = true;
  }
  return { hasChanged, hasStoppedTopUp };
}

const refundedCentsOf = ({ reversals }: ReversedCharge): number =>
  reversals
    .filter(({ kind, isUndone }) => kind === 'refund' && !isUndone)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);

async function moveCredits(
  tx: Tx,
  {
    ownerId,
    purchase,
    charge,
    reversal,
    now,
  }: { ownerId: AccountId; purchase: PurchaseRow; charge: ReversedCharge; reversal: Reversal; now: Date },
) {
  const entry = { ownerId, ...reversalEntry(purchase, reversal), now };
  // A balance at the provider may have paid the rest of the total. A charge above the total paid a debt along.
  const priceCents = Math.max(charge.amountCents, purchase.total_cents ?? 0);
  // Rounded down, so that partial refunds together never take more than the invoice granted.
  // See docs/decisions/billing-refunds-round-down.md.
  const upToCredits = Math.floor((purchase.credits * reversal.amountCents) / priceCents);
  const { grantedCredits } = reversal.isUndone ? await returnCredits(tx, entry) : { grantedCredits: 0 };
  // Nothing to take after it was undone: the key is used up.
  return { grantedCredits, ...(await takeBackCredits(tx, { ...entry, upToCredits })) };
}

type PurchaseRow = NonNullable<Awaited<ReturnType<typeof findPurchase>>>;

const reversalKeyOf = ({ id }: Pick<Reversal, 'id'>) => `${reversalKeyPrefix}${id}` as const;

/** The entry of a refund or dispute, without its amount. */
export function reversalEntry(
  purchase: Pick<PurchaseRow, 'kind' | 'plan_code' | 'invoice_id' | 'is_automatic'>,
  reversal: Pick<Reversal, 'id' | 'kind' | 'isUndone'>,
) {
  const isPack = purchase.kind === 'pack';
  const bought = `${purchase.plan_code} ${isPack ? 'credit pack' : 'plan'}`;
  return {
    key: reversalKeyOf(reversal),
    category: 'REFUND',
    source: sourceOf(purchase),
    description: describeReversal(reversal, bought),
    invoiceReference: purchase.invoice_id,
  } as const;
}

function sourceOf({ kind, is_automatic }: Pick<PurchaseRow, 'kind' | 'is_automatic'>) {
  if (kind === 'plan') return 'SUBSCRIPTION';
  return is_automatic ? 'AUTOMATIC_TOP_UP' : 'CHECKOUT';
}

/** A month is named by its invoice, a pack by its payment. */
async function findPurchaseOf(
  tx: Tx,
  { ownerId, charge }: { ownerId: AccountId; charge: Pick<ReversedCharge, 'invoiceId' | 'paymentId'> },
) {
  for (const invoiceId of [charge.paymentId, charge.invoiceId]) {
    const found = invoiceId === null ? undefined : await findPurchase(tx, { ownerId, invoiceId });
    if (found) return found;
  }
  return undefined;
}

function describeReversal({ kind, isUndone }: Pick<Reversal, 'kind' | 'isUndone'>, bought: string): string {
  if (kind === 'refund') return `Refund of the ${bought}${isUndone ? ' did not go through' : ''}`;
  return `Disputed payment of the ${bought}${isUndone ? ' was confirmed' : ''}`;
}
