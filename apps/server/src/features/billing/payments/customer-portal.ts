import { type CustomerPortal, findPlan, type InvoicePage, type PlanCode } from '@assay/contract';
import { AppError } from '../../../platform/errors/index.ts';
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

  // The first payment goes through checkout, which takes a card and pays with it on one page.
  if (isFree(account) && account.pastDueSince === null && !(await gateway.hasCard(customerId))) {
    return gateway.openCheckout({ customerId, plan, returnUrl });
  }
  return gateway
    .openPortal({ customerId, returnUrl, change: { subscriptionId, plan } })
    .catch((error: unknown) => {
      // The portal confirms no plan while a change is scheduled or a payment is owed; its front page tells why.
      if (error instanceof PaymentsRefused) return portal();
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
