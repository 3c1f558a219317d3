import { type CustomerPortal, findPlan, type InvoicePage, type PlanCode } from '@assay/contract';
import { AppError } from '../../../platform/errors/index.ts';
import { countingOf } from './decide-plan.ts';
import { findAccount, findPurchase, type PaymentAccount } from './payments.store.ts';
import { PaymentsRefused } from './remote.ts';
import { isFree, type SetUpParts, setUpCustomer } from './set-up-customer.ts';

export interface PortalParts extends SetUpParts {
  /** Origin of the web app, where trips to other sites come back. */
  readonly publicUrl: string;
}

/** Where the customer manages plan, card and invoices, or confirms the plan that was chosen here. */
export async function openCustomerPortal(
  parts: PortalParts,
  { ownerId, planCode }: { ownerId: string; planCode?: PlanCode | undefined },
): Promise<CustomerPortal> {
  const known = await findAccount(parts.db, ownerId);
  if (!known) throw new Error(`Customer ${ownerId} has no subscription.`);
  // The job that sets customers up is usually long done; whoever is quicker than it does not wait for its next run.
  const account = known.subscriptionReference === null ? await setUpCustomer(parts, known) : known;
  const customerId = account.customerReference;
  if (customerId === null) throw new AppError('payments_unavailable');
  return { portal_url: await findDoor(parts, { account, customerId, planCode }) };
}

interface Visitor {
  readonly account: PaymentAccount;
  readonly customerId: string;
  readonly planCode: PlanCode | undefined;
}

async function findDoor(parts: PortalParts, { account, customerId, planCode }: Visitor): Promise<string> {
  const { gateway } = parts;
  const returnUrl = `${parts.publicUrl}/redirect?to=/billing`;
  const plan = findPlan(planCode ?? '');
  const subscriptionId = account.subscriptionReference;
  const portal = () => gateway.openPortal({ customerId, returnUrl });
  if (!plan || plan.code === account.planCode || subscriptionId === null) return portal();

  const checkout = () => gateway.openCheckout({ customerId, plan, returnUrl });
  const isFirstPayment = isFree(account) && account.pastDueSince === null;
  // The first payment goes through checkout, which takes a card and pays with it on one page.
  if (isFirstPayment && !(await gateway.hasCard(customerId))) return checkout();
  return gateway
    .openPortal({ customerId, returnUrl, change: { subscriptionId, plan } })
    .catch((error: unknown) => {
      if (!(error instanceof PaymentsRefused)) throw error;
      // The portal confirms no plan while a change is pending or a payment is owed; its front page tells why. Only a
      // cancelled Free plan is nothing to undo first: checkout replaces it.
      return isFirstPayment ? checkout() : portal();
    });
}

/**
 * Undoes a change that is still to come. Only the provider is told: what we keep follows from the event that it sends,
 * as every change of a paid plan does.
 */
export async function keepPlan(
  { db, gateway }: Pick<PortalParts, 'db' | 'gateway'>,
  ownerId: string,
): Promise<void> {
  const account = await findAccount(db, ownerId);
  if (!account?.customerReference) return;
  const present = countingOf(await gateway.findSubscriptions(account.customerReference));
  // The change has taken effect, and we are about to hear of it.
  if (present?.plan.code !== account.planCode) throw new AppError('plan_change_took_effect');
  if (!present.pendingChange) return;
  await gateway.keepPlan(present.id).catch((error: unknown) => {
    if (error instanceof PaymentsRefused) throw new AppError('plan_change_took_effect', {}, { cause: error });
    throw error;
  });
}

/** Where an invoice of the customer's can be seen. */
export async function openInvoice(
  { db, gateway }: Pick<PortalParts, 'db' | 'gateway'>,
  { ownerId, invoiceId }: { ownerId: string; invoiceId: string },
): Promise<InvoicePage> {
  const purchase = await findPurchase(db, { ownerId, invoiceId });
  const page = purchase && (await gateway.findInvoicePage(purchase.invoice_id));
  // The id is the caller's text, which the log must not hold.
  if (!page) throw new AppError('invoice_not_found');
  return { invoice_url: page };
}
