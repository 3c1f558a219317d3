import { payInvoiceWith, paymentIdOf } from '../billing/charges.ts';
import { collect, markPaid } from '../billing/collection.ts';
import { addLine, applyBalance, finalizeInvoice } from '../billing/invoices.ts';
import { invalidRequest } from '../errors.ts';
import type { Invoice } from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getCustomer, getObject, make, newId } from '../world.ts';
import { type ApiCall, idOf, listing, listPage, type Routes, retrieving } from './call.ts';

export const invoiceRoutes: Routes = {
  'POST /v1/invoices': draft,
  'GET /v1/invoices': listing('invoice', 'customer', 'status', 'created'),
  'GET /v1/invoices/:id': retrieving('invoice'),
  'DELETE /v1/invoices/:id': remove,
  'POST /v1/invoices/:id/finalize': finalize,
  'POST /v1/invoices/:id/pay': pay,
  'POST /v1/invoices/:id/attach_payment': attachPayment,
  'POST /v1/invoices/:id/void': voidInvoice,
  'POST /v1/invoiceitems': addItem,
  'GET /v1/invoice_payments': listInvoicePayments,
};

/** An invoice outside subscriptions, which nothing finalizes or charges by itself. */
function draft({ world, params }: ApiCall): Invoice {
  const collection_method = 'charge_automatically';
  params.fixed({ auto_advance: 'false', collection_method, pending_invoice_items_behavior: 'exclude' });
  // Customers of the stand-in have no discounts, and an empty text says that none is wanted.
  params.choice('discounts', []);
  return make(world, 'invoice', {
    customer: getCustomer(world, params.requiredText('customer'), 'customer').id,
    currency: params.requiredText('currency'),
    metadata: params.metadata(),
  });
}

/** A line of a draft. The real service has items without an invoice too, which the next invoice takes. */
function addItem({ world, params }: ApiCall): object {
  const invoice = getObject(world, 'invoice', params.requiredText('invoice'), 'invoice');
  const customer = params.requiredText('customer');
  if (invoice.customer !== customer || invoice.status !== 'draft') {
    throw invalidRequest('This invoice is not a draft of this customer.', { param: 'invoice' });
  }
  params.choice('discountable', ['false']);
  const line = {
    amount: params.integer('amount') ?? 0,
    currency: params.requiredText('currency'),
    description: params.requiredText('description'),
  };
  addLine(world, invoice, line);
  return { id: newId('ii'), object: 'invoiceitem', customer, invoice: invoice.id, ...line };
}

function remove(call: ApiCall): object {
  const { id } = requireStatus(call, 'draft');
  call.world.store.remove('invoice', id);
  return { id, object: 'invoice', deleted: true };
}

function finalize(call: ApiCall): Invoice {
  call.params.fixed({ auto_advance: 'false' });
  const open = applyBalance(call.world, finalizeInvoice(call.world, requireStatus(call, 'draft')));
  return open.amount_remaining === 0 ? markPaid(call.world, open) : open;
}

function pay(call: ApiCall): Invoice {
  const result = collect(call.world, requireStatus(call, 'open'));
  if (result.error) throw result.error;
  return result.invoice;
}

/** Credits a payment that has succeeded to an open invoice. */
function attachPayment(call: ApiCall): Invoice {
  const { world, params } = call;
  const invoice = requireStatus(call, 'open');
  const intent = getObject(world, 'payment_intent', params.requiredText('payment_intent'), 'payment_intent');
  if (intent.status !== 'succeeded' || intent.amount_received !== invoice.amount_remaining) {
    throw invalidRequest('The stand-in attaches payments that have paid exactly what the invoice asks for.');
  }
  payInvoiceWith(world, invoice, { intent: intent.id, status: 'paid' });
  return markPaid(world, invoice);
}

/** Nothing is owed any more. What a balance paid of it goes back. */
function voidInvoice(call: ApiCall): Invoice {
  const { world } = call;
  const open = requireStatus(call, 'open');
  const customer = getCustomer(world, open.customer);
  const applied = open.total - open.amount_due;
  world.store.put('customer', { ...customer, balance: customer.balance - applied });
  const voided = world.store.put('invoice', { ...open, amount_remaining: 0, status: 'void' as const });
  emit(world, 'invoice.voided', voided);
  return voided;
}

function requireStatus(call: ApiCall, status: Invoice['status']): Invoice {
  const invoice = getObject(call.world, 'invoice', idOf(call));
  if (invoice.status !== status) throw invalidRequest(`This invoice is ${invoice.status}, not ${status}.`);
  return invoice;
}

/** The way from an invoice to its payment, and back: the payment itself does not name its invoice. */
function listInvoicePayments(call: ApiCall) {
  const { world, params } = call;
  const invoice = params.text('invoice');
  const payment = params.object('payment');
  payment?.fixed({ type: 'payment_intent' });
  const intent = payment?.requiredText('payment_intent');
  const payments = world.store
    .all('invoice_payment')
    .filter(({ id }) => invoice === undefined || id === paymentIdOf(invoice))
    .filter((candidate) => intent === undefined || candidate.payment.payment_intent === intent);
  return listPage(call, payments);
}
