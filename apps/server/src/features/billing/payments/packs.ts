import { findPack, type PackCheckout, type PackCode, type PackConfirmation } from '@assay/contract';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type PortalParts, requireCustomer } from './customer-portal.ts';
import {
  deletePackCheckout,
  findPayerOfCustomer,
  findPurchase,
  insertPackCheckout,
  type OpenPackCheckout,
  postponePackCheckout,
} from './payments.store.ts';
import type { RemoteCheckout } from './payments-gateway.ts';
import { type SyncParts, syncCustomer } from './sync-customer.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A checkout is paid within minutes or not at all. */
const firstCheckAfterMs = hourMs;
/** Some ways to pay take days after the checkout is complete. */
const slowPaymentMs = 14 * dayMs;

/** Opens the page where a credit pack is paid. */
export async function buyPack(
  parts: PortalParts,
  { ownerId, packCode }: { ownerId: AccountId; packCode: PackCode },
): Promise<PackCheckout> {
  const pack = findPack(packCode);
  if (!pack) throw new Error(`There is no pack ${packCode}.`);
  const { customerId } = await requireCustomer(parts, ownerId);
  const { id, url } = await parts.gateway.openPackCheckout({
    customerId,
    pack,
    // The id is not encoded: the provider looks for its own text in the address.
    returnUrlOf: (checkoutId) => `${parts.publicUrl}/redirect?to=/billing?checkout=${checkoutId}`,
    cancelUrl: `${parts.publicUrl}/redirect?to=/billing/packs`,
  });
  const now = parts.clock.now();
  const checkAt = new Date(now.getTime() + firstCheckAfterMs);
  // Before the customer gets the address: a checkout that we do not know of can only be paid by somebody who has it.
  await insertPackCheckout(parts.db, { checkoutId: id, ownerId, now, checkAt });
  return { checkout_url: url };
}

/**
 * Back from the checkout: grants its credits now, whether or not the provider's event has arrived. Both grant them once,
 * by the payment's id.
 */
export async function confirmPack(
  parts: SyncParts,
  { ownerId, checkoutId }: { ownerId: AccountId; checkoutId: string },
): Promise<PackConfirmation> {
  const checkout = await parts.gateway.findCheckout(checkoutId);
  if (!checkout || !(await isPayer(parts.db, ownerId, checkout))) throw new AppError('checkout_not_found');
  const { paymentId } = checkout;
  if (paymentId === null) return { is_paid: false, credits: 0 };
  await syncCustomer(parts, { ownerId, customerId: checkout.customerId, paymentId });
  const purchase = await findPurchase(parts.db, { ownerId, invoiceId: paymentId });
  if (purchase) await deletePackCheckout(parts.db, { ownerId, checkoutId });
  return { is_paid: purchase !== undefined, credits: purchase?.credits ?? 0 };
}

/** Also for a customer at the provider that was replaced since: its payment counts. */
const isPayer = async (db: Db, ownerId: AccountId, { customerId }: RemoteCheckout): Promise<boolean> =>
  (await findPayerOfCustomer(db, customerId))?.ownerId === ownerId;

/** Looks after a checkout whose customer may have paid and not come back, in case the provider's event was lost. */
export async function checkPackCheckout(parts: SyncParts, checkout: OpenPackCheckout): Promise<void> {
  const { checkoutId, ownerId, openedAt } = checkout;
  const found = await parts.gateway.findCheckout(checkoutId);
  if (!found || found.state === 'expired' || !(await isPayer(parts.db, ownerId, found))) {
    return deletePackCheckout(parts.db, checkout);
  }
  const { is_paid } =
    found.state === 'complete' ? await confirmPack(parts, { ownerId, checkoutId }) : { is_paid: false };
  if (is_paid) return;
  const now = parts.clock.now().getTime();
  if (now - openedAt.getTime() > slowPaymentMs) return deletePackCheckout(parts.db, checkout);
  const next = found.state === 'open' ? found.expiresAt.getTime() + hourMs : now + dayMs;
  await postponePackCheckout(parts.db, checkoutId, new Date(next));
}
