import {
  type CustomerPortal,
  findPlan,
  type InvoicePage,
  type PaymentMethod,
  type PlanCode,
} from '@assay/contract';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { decidePlan, findCurrent } from './decide-plan.ts';
import { hasInvoice } from './invoices.store.ts';
import { findPayer, type Payer } from './payments.store.ts';
import { PaymentsRefused } from './payments-gateway.ts';
import { isFree, type SetUpParts, setUpCustomer } from './set-up-customer.ts';
import { syncCustomer } from './sync-customer.ts';

export interface PortalParts extends SetUpParts {
  /** Origin of the web app, where the provider's pages lead back. */
  readonly publicUrl: string;
}

/**
 * The page where the customer manages plan, card and invoices, or confirms the plan they chose.
 * See docs/decisions/billing-portal-and-checkout.md.
 */
export async function openCustomerPortal(
  parts: PortalParts,
  {
    ownerId,
    planCode,
    page,
  }: { ownerId: AccountId; planCode?: PlanCode | undefined; page?: 'card' | undefined },
): Promise<CustomerPortal> {
  const known = await requireCustomer(parts, ownerId);
  if (page === 'card') {
    const returnUrl = `${parts.publicUrl}/redirect?to=/billing/top-up`;
    const order = { customerId: known.customerId, returnUrl, takesCard: true };
    return { portal_url: await parts.gateway.openPortal(order) };
  }
  return { portal_url: await choosePage(parts, { ...known, planCode }) };
}

/** The maintenance job usually has set up the customer. If not, does it now instead of waiting for the next run. */
export async function requireCustomer(
  parts: SetUpParts,
  ownerId: AccountId,
): Promise<{ payer: Payer; customerId: string }> {
  const known = await findPayer(parts.db, ownerId);
  if (!known) throw new Error(`Customer ${ownerId} has no subscription.`);
  const payer = known.subscriptionReference === null ? await setUpCustomer(parts, known) : known;
  const customerId = payer.customerReference;
  if (customerId === null) throw new AppError('payments_unavailable');
  return { payer, customerId };
}

interface Visitor {
  readonly payer: Payer;
  readonly customerId: string;
  readonly planCode: PlanCode | undefined;
}

async function choosePage(parts: PortalParts, { payer, customerId, planCode }: Visitor): Promise<string> {
  const { gateway } = parts;
  const returnUrl = `${parts.publicUrl}/redirect?to=/billing`;
  const plan = findPlan(planCode ?? '');
  const subscriptionId = payer.subscriptionReference;
  const portal = () => gateway.openPortal({ customerId, returnUrl });
  if (!plan || plan.code === payer.planCode || subscriptionId === null) return portal();

  const checkout = () => gateway.openCheckout({ customerId, plan, returnUrl });
  const isFirstPayment = isFree(payer) && payer.pastDueSince === null;
  // The first payment goes through checkout, which takes a card and pays with it on one page.
  if (isFirstPayment && !(await gateway.hasCard(customerId))) return checkout();
  return gateway
    .openPortal({ customerId, returnUrl, change: { subscriptionId, plan } })
    .catch((error: unknown) => {
      if (!(error instanceof PaymentsRefused)) throw error;
      // The portal refuses a new plan while a change or a payment is pending, and its front page explains that. A
      // cancelled Free plan needs no explanation: checkout replaces it.
      return isFirstPayment ? checkout() : portal();
    });
}

/**
 * Undoes the scheduled change and then syncs with the provider, so the customer sees the result even if the provider's
 * event is late or lost.
 */
export async function keepPlan(
  parts: Pick<PortalParts, 'db' | 'clock' | 'gateway'>,
  ownerId: AccountId,
): Promise<void> {
  const payer = await findPayer(parts.db, ownerId);
  if (!payer?.customerReference) return;
  const customerId = payer.customerReference;
  const isKept = await undoPendingChange(parts, { payer, customerId });
  await syncCustomer(parts, { ownerId, customerId });
  if (!isKept) throw new AppError('plan_change_took_effect');
}

/** False when the change has already taken effect at the provider. */
async function undoPendingChange(
  { clock, gateway }: Pick<PortalParts, 'clock' | 'gateway'>,
  { payer, customerId }: { payer: Payer; customerId: string },
): Promise<boolean> {
  const subscriptions = await gateway.findSubscriptions(customerId);
  if (decidePlan(payer, subscriptions, clock.now()).after.planCode !== payer.planCode) return false;
  const present = findCurrent(subscriptions);
  if (!present?.pendingChange) return true;
  return gateway.keepPlan(present.id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PaymentsRefused) return false;
      throw error;
    },
  );
}

/** The provider's page for one of the customer's invoices. */
export async function openInvoice(
  { db, gateway }: Pick<PortalParts, 'db' | 'gateway'>,
  { ownerId, invoiceId }: { ownerId: AccountId; invoiceId: string },
): Promise<InvoicePage> {
  const isTheirs = await hasInvoice(db, { ownerId, invoiceId });
  const links = isTheirs ? await gateway.findInvoicePage(invoiceId) : null;
  // The id is the caller's text and must not appear in the log.
  if (!links) throw new AppError('invoice_not_found');
  return { invoice_url: links.pageUrl, pdf_url: links.pdfUrl };
}

/** The card that is charged, as far as a customer needs to recognise it. */
export async function getPaymentMethod(
  { db, gateway }: Pick<PortalParts, 'db' | 'gateway'>,
  ownerId: AccountId,
): Promise<PaymentMethod> {
  const customerId = (await findPayer(db, ownerId))?.customerReference;
  const card = customerId ? await gateway.findCard(customerId) : undefined;
  if (!card) return { card: null };
  const { brand, last4, expiryMonth, expiryYear } = card;
  return { card: { brand, last4, expiry_month: expiryMonth, expiry_year: expiryYear } };
}
