import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { PaymentsGateway } from './payments-gateway.ts';
import { idOf, reach, unlessGone } from './stripe.connection.ts';

type Customers = Pick<
  PaymentsGateway,
  'createCustomer' | 'isCustomer' | 'changeAddress' | 'deleteCustomer' | 'hasCard' | 'findCard'
>;

/** Customers and their cards. */
export function customersOf(stripe: Stripe): Customers {
  return {
    createCustomer: async ({ ownerId, email, setupKey }) => {
      // The key contains the address, because Stripe refuses the same key with another address for a day.
      const addressHash = createHash('sha256').update(email).digest('hex').slice(0, 16);
      const customer = await reach(() =>
        stripe.customers.create(
          { metadata: { assay_user: ownerId }, ...(email && { email }) },
          { idempotencyKey: `assay-customer-${setupKey}-${addressHash}` },
        ),
      );
      return customer.id;
    },
    isCustomer: async (customerId) => {
      const customer = await reach(() => stripe.customers.retrieve(customerId));
      return !customer.deleted;
    },
    changeAddress: (customerId, email) => unlessGone(() => stripe.customers.update(customerId, { email })),
    deleteCustomer: (customerId) => unlessGone(() => stripe.customers.del(customerId)),
    hasCard: async (customerId) => {
      const { data } = await reach(() => stripe.customers.listPaymentMethods(customerId, { limit: 1 }));
      return data.length > 0;
    },
    findCard: async (customerId) => {
      const [customer, { data: methods }] = await Promise.all([
        reach(() => stripe.customers.retrieve(customerId)),
        reach(() => stripe.customers.listPaymentMethods(customerId, { limit: 100 })),
      ]);
      const byDefault = customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method);
      const cards = methods.filter(({ card }) => card !== undefined);
      const method = cards.find(({ id }) => id === byDefault) ?? cards[0];
      return (
        method?.card && {
          id: method.id,
          mark: method.card.fingerprint ?? method.id,
          brand: method.card.brand,
          last4: method.card.last4,
          expiryMonth: method.card.exp_month,
          expiryYear: method.card.exp_year,
        }
      );
    },
  };
}
