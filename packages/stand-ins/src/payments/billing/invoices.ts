import { blankLine, type Invoice, type InvoiceLine, type SubscriptionItem } from '../objects.ts';
import { getCustomer, getObject, make, newId, openPage, taxIdsOf, type World } from '../world.ts';
import { formatAmount } from './money.ts';

/** A draft for the month that the item of a subscription shows: it has no number yet and nothing is owed. */
export function draftMonth(
  world: World,
  item: SubscriptionItem,
  fields: Pick<Invoice, 'customer' | 'billing_reason'> & Partial<Invoice>,
): Invoice {
  const { id, currency, product, unit_amount: amount } = item.price;
  const { subscription } = item;
  const parent = { subscription_details: { subscription }, type: 'subscription_details' } as const;
  const { name } = getObject(world, 'product', product);
  return addLine(world, make(world, 'invoice', { currency, parent, ...fields }), {
    amount,
    currency,
    description: `1 × ${name} (at ${formatAmount(amount, currency)} / month)`,
    parent: {
      subscription_item_details: { proration: false, subscription, subscription_item: item.id },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pricing: { price_details: { price: id, product }, type: 'price_details' },
  });
}

type NewLine = Pick<InvoiceLine, 'amount' | 'currency' | 'description'> & Partial<InvoiceLine>;

export function addLine(world: World, draft: Invoice, fields: NewLine): Invoice {
  const now = world.clock.seconds();
  const line = { ...blankLine, id: newId('il'), period: { start: now, end: now }, ...fields };
  const total = draft.total + line.amount;
  const lines = { ...draft.lines, data: [...draft.lines.data, line] };
  return world.store.put('invoice', { ...draft, amount_due: total, amount_remaining: total, lines, total });
}

/** From here on the invoice is owed: it gets its number and its page. */
export function finalizeInvoice(world: World, draft: Invoice): Invoice {
  const customer = getCustomer(world, draft.customer);
  const page = openPage(world, 'invoice', draft.id);
  return world.store.put('invoice', {
    ...draft,
    automatically_finalizes_at: null,
    // Customers of earlier versions have neither address nor name.
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_tax_ids: taxIdsOf(world, customer.id).map(({ type, value }) => ({ type, value })),
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: draft.id.slice(-8).toUpperCase(),
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: world.clock.seconds() },
  });
}

/** The customer's credit pays as much of an open invoice as it can, and a debt is added to it. */
export function applyBalance(world: World, open: Invoice): Invoice {
  const customer = getCustomer(world, open.customer);
  // Customers of earlier versions have none.
  const due = open.total + (customer.balance ?? 0);
  const amount = Math.max(0, due);
  world.store.put('customer', { ...customer, balance: Math.min(0, due) });
  return world.store.put('invoice', { ...open, amount_due: amount, amount_remaining: amount });
}
