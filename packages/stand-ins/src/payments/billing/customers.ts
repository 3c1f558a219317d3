import { newId, newInvoicePrefix } from '../ids.ts';
import type { Customer } from '../wire.ts';
import type { World } from '../world.ts';

export function newCustomer(world: World, fields: Partial<Customer>): Customer {
  return {
    id: newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: world.clock.seconds(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newInvoicePrefix(),
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...fields,
    invoice_settings: fields.invoice_settings ?? {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
  };
}
