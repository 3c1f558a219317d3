import { type AutomaticTopUp, type AutomaticTopUpOrder, findPack, type PackCode } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import { readAvailableCredits } from '../credit-ledger.ts';
import { type PortalParts, requireCustomer } from '../payments/customer-portal.ts';
import { findAccount } from '../payments/payments.store.ts';
import { type SyncParts, syncCustomer } from '../payments/sync-customer.ts';
import { refreshBilling } from '../refresh-billing.ts';
import {
  findOpenOrder,
  findOwnersToTopUp,
  findSettings,
  insertOrder,
  lockSettings,
  saveSettings,
  setOrderFailed,
  stopTopUp,
  sumOfMonth,
  type TopUpOrder,
  type TopUpSettings,
} from './top-up.store.ts';

/** What the form shows before a customer has chosen anything. */
const defaults = { is_on: false, below: 1_000, pack: '10K', monthly_cap_in_cents: 10_000 } as const;

export async function getAutomaticTopUp(
  { db, clock }: { db: Db; clock: Clock },
  ownerId: string,
): Promise<AutomaticTopUp> {
  const settings = await findSettings(db, ownerId);
  return {
    ...(settings
      ? {
          is_on: settings.isOn,
          below: settings.below,
          pack: settings.packCode as PackCode,
          monthly_cap_in_cents: settings.monthlyCapCents,
        }
      : defaults),
    spent_this_month_in_cents: await sumOfMonth(db, ownerId, clock.now()),
    stopped_because: settings?.stoppedBecause ?? null,
  };
}

export async function setAutomaticTopUp(
  parts: PortalParts,
  { ownerId, order }: { ownerId: string; order: AutomaticTopUpOrder },
): Promise<AutomaticTopUp> {
  if (order.is_on) {
    if (order.monthly_cap_in_cents < packOf(order.pack).monthlyCostCents) {
      throw new AppError('top_up_cap_too_low');
    }
    const { customerId } = await requireCustomer(parts, ownerId);
    if (!(await parts.gateway.findCard(customerId))) throw new AppError('card_missing');
  }
  await saveSettings(parts.db, ownerId, {
    isOn: order.is_on,
    below: order.below,
    packCode: order.pack,
    monthlyCapCents: order.monthly_cap_in_cents,
  });
  return getAutomaticTopUp(parts, ownerId);
}

export interface TopUpParts extends SyncParts {
  readonly logger: Logger;
}

const customersPerRun = 1_000;

/** Buys packs for customers whose balance is low. One that fails does not keep the others waiting. */
export async function topUpBalances(parts: TopUpParts, signal: AbortSignal): Promise<void> {
  for (const ownerId of await findOwnersToTopUp(parts.db, customersPerRun)) {
    if (signal.aborted) return;
    await topUpBalance(parts, ownerId);
  }
}

/** Buys a pack if the customer's settings ask for it. If it fails, the next run of `topUpBalances` tries again. */
export async function topUpBalance(parts: TopUpParts, ownerId: string): Promise<void> {
  try {
    await buyAutomatically(parts, ownerId);
  } catch (error) {
    parts.logger.warn({ err: error }, 'an automatic top-up failed for now; the next run tries again');
  }
}

/** Stripe keeps idempotency keys for a day at least. After that, another attempt could be another payment. */
const attemptsMs = 20 * 3_600_000;

/**
 * Buys one pack, or finishes a purchase that was begun. An order is written before the card is charged, at most one at a
 * time, and its id makes all attempts one payment, whichever process makes them.
 */
async function buyAutomatically(parts: TopUpParts, ownerId: string): Promise<void> {
  const account = await findAccount(parts.db, ownerId);
  const customerId = account?.customerReference;
  if (!customerId) return;
  const order = await openOrder(parts, { ownerId, customerId });
  if (!order) return;
  const isStale = parts.clock.now().getTime() - order.openedAt.getTime() > attemptsMs;
  if (isStale) return fail(parts, { ownerId, order, because: 'unreachable' });

  const charge = await parts.gateway.chargePack({
    customerId,
    pack: packOf(order.packCode),
    cardId: order.cardReference,
    orderId: order.orderId,
  });
  if (charge.outcome === 'paid') {
    return syncCustomer(parts, { ownerId, customerId, paymentId: charge.paymentId });
  }
  // A slow payment settles by its event.
  if (charge.outcome !== 'processing') await fail(parts, { ownerId, order, because: charge.outcome });
}

/** The purchase to make now: one that was begun, or a new one if the settings ask for it. */
async function openOrder(
  { db, clock, gateway }: TopUpParts,
  { ownerId, customerId }: { ownerId: string; customerId: string },
): Promise<TopUpOrder | undefined> {
  const now = clock.now();
  const isDue = async (on: Db, { below, packCode, monthlyCapCents }: TopUpSettings) =>
    (await readAvailableCredits(on, ownerId)) < below &&
    (await sumOfMonth(on, ownerId, now)) + packOf(packCode).monthlyCostCents <= monthlyCapCents;
  const seen = await findSettings(db, ownerId);
  const wasDue = seen?.isOn === true && (await isDue(db, seen));
  // Before the lock, because it asks the provider, and not each minute for customers who have reached their cap.
  const card = wasDue ? await gateway.findCard(customerId) : undefined;
  return db.transaction().execute(async (tx) => {
    const settings = await lockSettings(tx, ownerId);
    const begun = await findOpenOrder(tx, ownerId);
    if (!settings?.isOn) {
      // The customer has turned it off since: it is not charged any more. If it was, its event adds the credits.
      if (begun) await setOrderFailed(tx, ownerId, begun.orderId);
      return undefined;
    }
    if (begun) return begun;
    if (!wasDue || !(await isDue(tx, settings))) return undefined;
    if (!card) return stop(tx, ownerId, 'no_card');
    const { monthlyCostCents: priceCents } = packOf(settings.packCode);
    return insertOrder(tx, { ownerId, packCode: settings.packCode, priceCents, cardReference: card.id, now });
  });
}

async function stop(tx: Tx, ownerId: string, because: Parameters<typeof stopTopUp>[2]): Promise<undefined> {
  if (await stopTopUp(tx, ownerId, because)) await refreshBilling(tx, ownerId);
}

/** Ends the purchase, and the automatic top-up with it, until the customer turns it on again. */
const fail = (
  { db }: TopUpParts,
  {
    ownerId,
    order,
    because,
  }: { ownerId: string; order: TopUpOrder; because: 'declined' | 'requires_action' | 'unreachable' },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await lockSettings(tx, ownerId);
    await setOrderFailed(tx, ownerId, order.orderId);
    await stop(tx, ownerId, because);
  });

function packOf(code: string) {
  const pack = findPack(code);
  if (!pack) throw new Error(`There is no pack ${code}.`);
  return pack;
}
