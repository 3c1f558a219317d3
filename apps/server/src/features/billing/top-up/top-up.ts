import { randomUUID } from 'node:crypto';
import {
  type AutomaticTopUp,
  type AutomaticTopUpOrder,
  findPack,
  type PackCode,
  type TopUpStop,
} from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { lowestId } from '../../../platform/database/uuid.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import type { Actor } from '../../activity/index.ts';
import { recordReachedCap, recordTopUpChange, recordTopUpStop } from '../billing-activity.ts';
import { readAvailableCredits } from '../credit-ledger.store.ts';
import { type PortalParts, requireCustomer } from '../payments/customer-portal.ts';
import { findPayer, lockPayer } from '../payments/payments.store.ts';
import { isUnavailable, PaymentsRefused } from '../payments/payments-gateway.ts';
import { type SyncParts, syncCustomer } from '../payments/sync-customer.ts';
import { refreshBilling } from '../refresh-billing.ts';
import {
  endOfMonth,
  findCardRest,
  findOpenOrder,
  findOwnersToTopUp,
  findSettings,
  insertOrder,
  recordDeclinedCard,
  saveSettings,
  setCapReached,
  setOrderFailed,
  setOrderGivenUp,
  setOrderPayment,
  startOfMonth,
  stopTopUp,
  sumOfMonth,
  type TopUpOrder,
  type TopUpSettings,
} from './top-up.store.ts';
import { writeOrderInvoice } from './top-up-invoices.ts';

/** What the form shows before a customer has chosen anything. */
const defaults = { is_on: false, below: 1_000, pack: '10K', monthly_cap_in_cents: 10_000 } as const;

export async function getAutomaticTopUp(
  { db, clock }: { db: Db; clock: Clock },
  ownerId: AccountId,
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
    paused_until: pausedUntil(settings, clock.now())?.toISOString() ?? null,
  };
}

/** The beginning of the next month, for one that has used up its cap; undefined for any other. */
export const pausedUntil = (
  settings: Pick<TopUpSettings, 'isOn' | 'capReachedAt'> | undefined,
  now: Date,
): Date | undefined =>
  settings?.isOn && settings.capReachedAt && settings.capReachedAt >= startOfMonth(now)
    ? endOfMonth(now)
    : undefined;

export async function setAutomaticTopUp(
  parts: PortalParts,
  actor: Actor,
  order: AutomaticTopUpOrder,
): Promise<AutomaticTopUp> {
  const ownerId = actor.accountId;
  if (order.is_on) {
    if (order.monthly_cap_in_cents < packOf(order.pack).monthlyCostCents) {
      throw new AppError('top_up_cap_too_low');
    }
    const { customerId } = await requireCustomer(parts, ownerId);
    const card = await parts.gateway.findCard(customerId);
    if (!card) throw new AppError('card_missing');
    const now = parts.clock.now();
    const restEnd = await findCardRest(parts.db, card.mark, now);
    if (restEnd) throw declinedRecently(restEnd, now);
  }
  await parts.db.transaction().execute(async (tx) => {
    await lockPayer(tx, ownerId);
    const before = await findSettings(tx, ownerId);
    await saveSettings(tx, ownerId, {
      isOn: order.is_on,
      below: order.below,
      packCode: order.pack,
      monthlyCapCents: order.monthly_cap_in_cents,
    });
    await recordTopUpChange(tx, actor, { before, order, now: parts.clock.now() });
  });
  return getAutomaticTopUp(parts, ownerId);
}

function declinedRecently(restEnd: Date, now: Date): AppError {
  const seconds = Math.ceil((restEnd.getTime() - now.getTime()) / 1_000);
  return new AppError('card_declined_recently', {}, { meta: { retry_after_seconds: seconds } });
}

export interface TopUpParts extends SyncParts {
  readonly logger: Logger;
}

/** So many customers are served at a time. One whose payment hangs takes one place, for as long as the provider's calls may take. */
const placeCount = 4;
/** After so many failures in a row the provider is probably down. The next run starts with other customers. */
const failuresInARowMax = 2 * placeCount;

/** Buys packs for customers whose balance is low. One that fails or hangs does not keep the others waiting. */
export async function topUpBalances(parts: TopUpParts, signal: AbortSignal): Promise<void> {
  const owners = ownersInTurn(parts.db, randomUUID());
  let failuresInARow = 0;
  const servePlace = async () => {
    for await (const ownerId of owners) {
      if (signal.aborted || failuresInARow >= failuresInARowMax) return;
      const hasAnswered = await topUpBalance(parts, ownerId);
      failuresInARow = hasAnswered ? 0 : failuresInARow + 1;
    }
  };
  await Promise.all(Array.from({ length: placeCount }, servePlace));
}

const pageSize = 100;
/** All customers to look at, from a random place on, so that those after a broken place are not always last. */
async function* ownersInTurn(db: Db, start: string): AsyncGenerator<string> {
  yield* ownersAfter(db, start);
  for await (const ownerId of ownersAfter(db, lowestId)) {
    if (ownerId > start) return;
    yield ownerId;
  }
}

async function* ownersAfter(db: Db, start: string): AsyncGenerator<string> {
  for (let after: string | undefined = start; after !== undefined; ) {
    const owners: string[] = await findOwnersToTopUp(db, { after, limit: pageSize });
    yield* owners;
    after = owners.at(-1);
  }
}

/**
 * Buys a pack if the customer's settings ask for it. If it fails, the next run of `topUpBalances` tries again. Returns false if the
 * provider did not answer.
 */
export async function topUpBalance(parts: TopUpParts, ownerId: AccountId): Promise<boolean> {
  try {
    await buyAutomatically(parts, ownerId);
    return true;
  } catch (error) {
    parts.logger.warn({ err: error }, 'an automatic top-up failed for now; the next run tries again');
    return !isUnavailable(error);
  }
}

/** Nobody expects a charge that is later than this. */
const attemptsMs = 20 * 3_600_000;
/** How far the provider's clock may be behind ours. */
const clockSkewMs = 3_600_000;

interface Purchase {
  readonly ownerId: AccountId;
  readonly customerId: string;
  readonly order: TopUpOrder;
}

/**
 * Buys one pack, or finishes a purchase that was begun. The order is written before its payment is opened, and the payment is
 * known before it is charged. So whatever gets lost, the order stays open, and counts, until the provider has said what became
 * of its payment.
 */
async function buyAutomatically(parts: TopUpParts, ownerId: AccountId): Promise<void> {
  const payer = await findPayer(parts.db, ownerId);
  const customerId = payer?.customerReference;
  if (!customerId) return;
  const opened = await openOrder(parts, { ownerId, customerId });
  if (!opened) return;
  const { order, isNew, isWanted } = opened;
  const purchase = { ownerId, customerId, order };
  const known = order.paymentReference ?? (isNew ? null : await findPaymentOf(parts, purchase));
  if (!isWanted) return endOrder(parts, { ...purchase, paymentId: known });

  const paymentId = known ?? (await openPayment(parts, purchase));
  const charged = { ...purchase, order: { ...order, paymentReference: paymentId }, paymentId };
  if (paymentId === null) return stopWithOrder(parts, charged, 'declined');
  const outcome = await chargeOrder(parts, { ...purchase, paymentId });
  switch (outcome) {
    case 'paid':
      await syncCustomer(parts, { ownerId, customerId, paymentId });
      return writeOrderInvoice(parts, { ownerId, orderId: order.orderId, paymentReference: paymentId }).catch(
        (error: unknown) => parts.logger.warn({ err: error }, 'an invoice is written later'),
      );
    case 'processing':
      return;
    case 'canceled':
      return endOrder(parts, charged);
    default:
      return stopWithOrder(parts, charged, outcome);
  }
}

interface ChargedPurchase extends Purchase {
  /** Null when none could be opened. */
  readonly paymentId: string | null;
}

interface OpenedOrder {
  readonly order: TopUpOrder;
  readonly isNew: boolean;
  readonly isWanted: boolean;
}

/** The purchase to make or to end now: one that was begun, or a new one if the settings ask for it. */
async function openOrder(
  { db, clock, gateway }: TopUpParts,
  { ownerId, customerId }: { ownerId: AccountId; customerId: string },
): Promise<OpenedOrder | undefined> {
  const isLow = async (on: Db, { below }: TopUpSettings) => (await readAvailableCredits(on, ownerId)) < below;
  const isWithinCap = async (on: Db, { packCode, monthlyCapCents }: TopUpSettings, now: Date) =>
    (await sumOfMonth(on, ownerId, now)) + packOf(packCode).monthlyCostCents <= monthlyCapCents;
  const seen = await findSettings(db, ownerId);
  const wasDue = isActive(seen) && (await isLow(db, seen)) && (await isWithinCap(db, seen, clock.now()));
  // Before the lock, because it asks the provider, and not each minute for customers who have reached their cap.
  const card = wasDue ? await gateway.findCard(customerId) : undefined;
  return db.transaction().execute(async (tx) => {
    const payer = await lockPayer(tx, ownerId);
    // Credits that were bought already may be missing until the account is compared with the provider.
    if (!payer || payer.needsSync) return undefined;
    const now = clock.now();
    const settings = await findSettings(tx, ownerId);
    const order = await findOpenOrder(tx, ownerId);
    if (order) {
      const isLate = now.getTime() - order.openedAt.getTime() > attemptsMs;
      if (isLate) await giveUp(tx, ownerId, { order, because: 'unreachable', now });
      const isWanted = !isLate && (await isStillWanted(tx, { ownerId, order, now }));
      return { order, isNew: false, isWanted };
    }
    if (!isActive(settings) || !(await isLow(tx, settings))) return undefined;
    if (!(await isWithinCap(tx, settings, now))) return announceCap(tx, ownerId, settings, now);
    // It has become due since it was looked at: the next run asks for the card.
    if (!wasDue) return undefined;
    if (!card) return stop(tx, ownerId, 'no_card', now);
    if (await findCardRest(tx, card.mark, now)) return stop(tx, ownerId, 'declined', now);
    const { packCode } = settings;
    const priceCents = packOf(packCode).monthlyCostCents;
    const begun = await insertOrder(tx, { ownerId, packCode, priceCents, card, now });
    return { order: begun, isNew: true, isWanted: true };
  });
}

async function announceCap(
  tx: Tx,
  ownerId: AccountId,
  { monthlyCapCents }: TopUpSettings,
  now: Date,
): Promise<undefined> {
  if (!(await setCapReached(tx, ownerId, now))) return;
  await refreshBilling(tx, ownerId);
  await recordReachedCap(tx, ownerId, monthlyCapCents, now);
}

const isActive = (settings: TopUpSettings | undefined): settings is TopUpSettings =>
  settings?.isOn === true && !settings.isRestricted;

/**
 * The customer may have changed the settings since, or bought credits. An order of last month counts there, so this month would
 * pay it beyond its cap. Needs the account's lock.
 */
async function isStillWanted(
  tx: Tx,
  { ownerId, order, now }: { ownerId: AccountId; order: TopUpOrder; now: Date },
): Promise<boolean> {
  const settings = await findSettings(tx, ownerId);
  return (
    !order.isGivenUp &&
    isActive(settings) &&
    settings.packCode === order.packCode &&
    order.openedAt >= startOfMonth(now) &&
    (await readAvailableCredits(tx, ownerId)) < settings.below &&
    (await sumOfMonth(tx, ownerId, now)) <= settings.monthlyCapCents
  );
}

/** The payment that a process opened before it could write this down. */
async function findPaymentOf(
  { gateway }: TopUpParts,
  { customerId, order: { orderId, openedAt } }: Purchase,
): Promise<string | null> {
  const since = new Date(openedAt.getTime() - clockSkewMs);
  const payments = await gateway.findPayments({ customerId, since });
  return payments.find((payment) => payment.orderId === orderId)?.id ?? null;
}

/** Null when the provider refuses it, for example because the card was removed since. */
const openPayment = (
  { gateway }: TopUpParts,
  { customerId, order: { packCode, priceCents, cardReference, orderId } }: Purchase,
): Promise<string | null> =>
  gateway
    .openPackPayment({ customerId, pack: packOf(packCode), priceCents, cardId: cardReference, orderId })
    .catch((error: unknown) => {
      if (error instanceof PaymentsRefused) return null;
      throw error;
    });

/**
 * Writes the payment down and charges it, unless another process has ended the order meanwhile or the customer does not want it
 * any more. That is looked at again in the last moment, because opening a payment takes a while.
 */
async function chargeOrder(
  { db, clock, gateway }: TopUpParts,
  { ownerId, order: { orderId }, paymentId }: Purchase & { paymentId: string },
) {
  const isToBeCharged = () =>
    db.transaction().execute(async (tx) => {
      if (!(await lockPayer(tx, ownerId))) return false;
      await setOrderPayment(tx, { ownerId, orderId, paymentReference: paymentId });
      const order = await findOpenOrder(tx, ownerId);
      return order?.orderId === orderId && isStillWanted(tx, { ownerId, order, now: clock.now() });
    });
  if (await isToBeCharged()) return gateway.chargePayment(paymentId, isToBeCharged);
  return gateway.cancelPayment(paymentId);
}

/**
 * Ends a purchase: first at the provider, so that nothing can charge it later, then here. If it was paid already, it is granted
 * instead. While a bank still decides about it, it stays open, so that nothing else is bought.
 */
async function endOrder(
  parts: TopUpParts,
  { ownerId, customerId, order, paymentId }: ChargedPurchase,
): Promise<void> {
  const outcome = paymentId === null ? 'canceled' : await parts.gateway.cancelPayment(paymentId);
  if (outcome === 'paid' && paymentId !== null) {
    return syncCustomer(parts, { ownerId, customerId, paymentId });
  }
  if (outcome !== 'canceled') return;
  await parts.db.transaction().execute(async (tx) => {
    await lockPayer(tx, ownerId);
    await setOrderFailed(tx, ownerId, order);
  });
}

/** After a decline. The reason comes before the end: a process that finds the payment cancelled ends the order without one. */
async function stopWithOrder(parts: TopUpParts, charged: ChargedPurchase, because: TopUpStop): Promise<void> {
  const { ownerId, order } = charged;
  await parts.db.transaction().execute(async (tx) => {
    await lockPayer(tx, ownerId);
    const now = parts.clock.now();
    await giveUp(tx, ownerId, { order, because, now });
    // Without a payment no bank was asked.
    if (charged.paymentId !== null && order.cardMark !== null) {
      await recordDeclinedCard(tx, order.cardMark, now);
    }
  });
  await endOrder(parts, charged);
}

/** Stops the automatic top-up because of an order, once: a customer who turns it on again has read the reason. */
async function giveUp(
  tx: Tx,
  ownerId: AccountId,
  { order, because, now }: { order: TopUpOrder; because: TopUpStop; now: Date },
): Promise<void> {
  if (await setOrderGivenUp(tx, ownerId, order)) await stop(tx, ownerId, because, now);
}

async function stop(tx: Tx, ownerId: AccountId, because: TopUpStop, now: Date): Promise<undefined> {
  if (!(await stopTopUp(tx, ownerId, because))) return;
  await refreshBilling(tx, ownerId);
  await recordTopUpStop(tx, ownerId, because, now);
}

function packOf(code: string) {
  const pack = findPack(code);
  if (!pack) throw new Error(`There is no pack ${code}.`);
  return pack;
}
