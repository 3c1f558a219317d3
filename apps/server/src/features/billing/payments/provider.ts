import type { Config } from '../../../platform/config/index.ts';
import type { PaymentsGateway } from './payments-gateway.ts';
import { createStripeGateway } from './stripe/stripe.client.ts';

// The only code outside stripe.* that chooses the payment provider. Another provider needs its own files beside stripe.*,
// its settings in platform/config, and its line here.

export { findMissingPlans } from './stripe/stripe.check.ts';
export { openMadeCustomers } from './stripe/stripe.made-customers.ts';
export { setUpStripe as setUpPayments, webhookEvents } from './stripe/stripe.setup.ts';

export const webhookPath = '/billing/webhooks/stripe';

/** Null where no payments are configured. */
export const openGateway = async ({
  stripe,
}: Pick<Config['payments'], 'stripe'>): Promise<PaymentsGateway | null> =>
  stripe && createStripeGateway(stripe);
