import { createHash } from 'node:crypto';
import { type InvoiceDetails, taxNumberKindOf } from '@assay/contract';
import type Stripe from 'stripe';
import type { PaymentsGateway } from '../payments-gateway.ts';
import { idOf, loadStripe, reach, unlessGone } from './stripe.connection.ts';

type Customers = Pick<
  PaymentsGateway,
  | 'createCustomer'
  | 'isCustomer'
  | 'changeAddress'
  | 'deleteCustomer'
  | 'hasCard'
  | 'findCard'
  | 'findInvoiceDetails'
  | 'setInvoiceDetails'
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
    findInvoiceDetails: async (customerId) => {
      const [customer, { data: taxIds }] = await Promise.all([
        reach(() => stripe.customers.retrieve(customerId)),
        reach(() => stripe.customers.listTaxIds(customerId, { limit: 1 })),
      ]);
      return customer.deleted ? undefined : detailsOf(customer, taxIds[0]);
    },
    setInvoiceDetails: async (customerId, details) => {
      const { data: before } = await reach(() => stripe.customers.listTaxIds(customerId, { limit: 100 }));
      const type = details.tax_number === '' ? undefined : taxNumberKindOf(details.country);
      const isKept = (taxId: Stripe.TaxId) => taxId.type === type && taxId.value === details.tax_number;
      // First, because it is all that Stripe may refuse.
      if (type && !before.some(isKept)) {
        const created = await unlessInvalid(() =>
          stripe.customers.createTaxId(customerId, { type, value: details.tax_number }),
        );
        if (!created) return false;
      }
      for (const { id } of before.filter((taxId) => !isKept(taxId))) {
        await unlessGone(() => stripe.customers.deleteTaxId(customerId, id));
      }
      const { company, line1, line2, postal_code, city, state, country } = details;
      const address = { line1, line2, postal_code, city, state, country };
      const hasAddress = Object.values(address).some((text) => text !== '');
      await reach(() =>
        stripe.customers.update(customerId, { name: company, address: hasAddress ? address : '' }),
      );
      return true;
    },
  };
}

function detailsOf({ name, address }: Stripe.Customer, taxId: Stripe.TaxId | undefined): InvoiceDetails {
  return {
    company: name ?? '',
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? '',
    postal_code: address?.postal_code ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
    country: address?.country ?? '',
    tax_number: taxId?.value ?? '',
  };
}

/** Undefined for a number that Stripe does not take for one of its kind. */
const unlessInvalid = <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> =>
  reach(() =>
    call().catch(async (error: unknown) => {
      const { errors } = await loadStripe();
      if (!(error instanceof errors.StripeInvalidRequestError && error.code === 'tax_id_invalid'))
        throw error;
      return undefined;
    }),
  );
