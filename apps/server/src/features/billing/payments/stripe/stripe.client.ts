import type { PaymentsGateway } from '../payments-gateway.ts';
import { connectStripe, type StripeOptions } from './stripe.connection.ts';
import { customersOf } from './stripe.customers.ts';
import { readEvent } from './stripe.events.ts';
import { createInvoiceReader, invoicesOf } from './stripe.invoices.ts';
import { pagesOf } from './stripe.pages.ts';
import { paymentsOf } from './stripe.payments.ts';
import { createPriceReader } from './stripe.prices.ts';
import { subscriptionsOf } from './stripe.subscriptions.ts';

/** Payments through Stripe. */
export async function createStripeGateway(
  options: StripeOptions & { webhookSecret: string },
): Promise<PaymentsGateway> {
  const stripe = await connectStripe(options);
  const planOfPrice = createPriceReader(stripe);
  const invoiceOf = createInvoiceReader(planOfPrice);
  return {
    readEvent: (rawBody, headers, now) =>
      readEvent(stripe, { rawBody, headers, now, secret: options.webhookSecret }),
    ...customersOf(stripe),
    ...subscriptionsOf(stripe, { planOfPrice, invoiceOf }),
    ...invoicesOf(stripe, invoiceOf),
    ...paymentsOf(stripe),
    ...pagesOf(stripe),
  };
}
