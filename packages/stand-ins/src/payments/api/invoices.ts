import { paymentIdOf } from '../billing/charges.ts';
import { collect, voidInvoice } from '../billing/collection.ts';
import { finalizeInvoice, subscriptionOf } from '../billing/invoices.ts';
import { invalidRequest } from '../errors.ts';
import { applyMetadata } from '../http/params.ts';
import { emit } from '../webhooks/events.ts';
import type { Invoice } from '../wire.ts';
import { getObject } from '../world.ts';
import { type ApiCall, idOf, Refusal, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const invoiceRoutes: Routes = {
  'GET /v1/invoices': list,
  'GET /v1/invoices/:id': (call) => getObject(call.world, 'invoice', idOf(call)),
  'POST /v1/invoices/:id': update,
  'GET /v1/invoices/:id/lines': listLines,
  'POST /v1/invoices/:id/finalize': finalize,
  'POST /v1/invoices/:id/pay': pay,
  'POST /v1/invoices/:id/void': (call) =>
    voidInvoice(call.world, getObject(call.world, 'invoice', idOf(call))),
  'POST /v1/invoices/:id/mark_uncollectible': markUncollectible,
  'GET /v1/invoice_payments': listPayments,
  'GET /v1/invoice_payments/:id': (call) => getObject(call.world, 'invoice_payment', idOf(call)),
};

function list({ world, params }: ApiCall) {
  const subscription = params.text('subscription');
  const newestFirst = world.store
    .all('invoice')
    .filter(matching('customer', params.text('customer')))
    .filter(matching('status', params.choice('status', ['draft', 'open', 'paid', 'uncollectible', 'void'])))
    .filter((invoice) => subscription === undefined || subscriptionOf(invoice) === subscription)
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/invoices', newestFirst });
}

function listLines(call: ApiCall) {
  const invoice = getObject(call.world, 'invoice', idOf(call));
  return listPage(call.params, { url: `/v1/invoices/${invoice.id}/lines`, newestFirst: invoice.lines.data });
}

function update(call: ApiCall): Invoice {
  const { world, params } = call;
  const before = getObject(world, 'invoice', idOf(call));
  const description = params.clearableText('description');
  const after: Invoice = {
    ...before,
    auto_advance: params.boolean('auto_advance') ?? before.auto_advance ?? false,
    description: description === undefined ? before.description : description,
    metadata: applyMetadata(before.metadata, params.metadata()),
  };
  world.store.put('invoice', after);
  emit(world, 'invoice.updated', after, before);
  return after;
}

function finalize(call: ApiCall): Invoice {
  const { world, params } = call;
  const draft = getObject(world, 'invoice', idOf(call));
  params.boolean('auto_advance');
  if (draft.status !== 'draft') {
    throw invalidRequest("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
  }
  return finalizeInvoice(world, draft);
}

function pay(call: ApiCall): Invoice | Refusal {
  const { world, params } = call;
  const card = params.text('payment_method');
  params.boolean('off_session');
  const invoice = getObject(world, 'invoice', idOf(call));
  if (invoice.status === 'paid') {
    throw invalidRequest('Invoice is already paid', { code: 'invoice_already_paid' });
  }
  if (invoice.status === 'void') throw invalidRequest('You cannot pay a voided invoice.');
  const open = invoice.status === 'draft' ? finalizeInvoice(world, invoice) : invoice;
  const result = collect(world, open, card);
  return result.paid ? result.invoice : new Refusal(result.error);
}

function markUncollectible(call: ApiCall): Invoice {
  const { world } = call;
  const before = getObject(world, 'invoice', idOf(call));
  if (before.status !== 'open') throw invalidRequest('You can only mark open invoices as uncollectible.');
  const after: Invoice = {
    ...before,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'uncollectible',
    status_transitions: { ...before.status_transitions, marked_uncollectible_at: world.clock.seconds() },
  };
  world.store.put('invoice', after);
  emit(world, 'invoice.marked_uncollectible', after);
  return after;
}

/** The way from a payment to the invoice it paid: the payment itself no longer names one. */
function listPayments({ world, params }: ApiCall) {
  const invoice = params.text('invoice');
  const payment = params.object('payment');
  payment?.choice('type', ['payment_intent']);
  const intent = payment?.text('payment_intent');
  const status = params.choice('status', ['canceled', 'open', 'paid']);
  const known = invoice === undefined ? undefined : world.store.find('invoice', invoice);
  const candidates =
    invoice === undefined
      ? world.store.all('invoice_payment')
      : [known && world.store.find('invoice_payment', paymentIdOf(known))].filter(
          (found) => found !== undefined,
        );
  const newestFirst = candidates
    .filter((candidate) => intent === undefined || candidate.payment.payment_intent === intent)
    .filter(matching('status', status))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/invoice_payments', newestFirst });
}
