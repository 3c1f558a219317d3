import { type Answer, html } from '@assay/pages';
import { declineOf, saveCard } from '../billing/cards.ts';
import { collect } from '../billing/collection.ts';
import { formatAmount } from '../billing/money.ts';
import { cardError, type PaymentsError } from '../errors.ts';
import type { Charge, Invoice, InvoiceLine } from '../objects.ts';
import { businessName, getCustomer, getObject } from '../world.ts';
import { cardForm, readCardForm } from './card-form.ts';
import { factList, formatDate, openTarget, type PageCall, type PageRoutes, page, pageOf } from './page.ts';
import { textPdf } from './text-pdf.ts';

interface Visit extends PageCall {
  invoice: Invoice;
}

export const invoicePages: PageRoutes = {
  'GET /invoice/:token': pageOf(open, show),
  'POST /invoice/:token': pageOf(open, show, pay),
  'GET /invoice/:token/pdf': pageOf(open, showPdf),
  'GET /receipt/:token': pageOf(openCharge, showReceipt),
};

function open(call: PageCall): Visit | undefined {
  const id = openTarget(call, 'invoice');
  return id === undefined ? undefined : { ...call, invoice: getObject(call.world, 'invoice', id) };
}

function show({ invoice }: Visit, problem?: PaymentsError): Answer {
  const due = formatAmount(invoice.amount_remaining, invoice.currency);
  return page(
    { title: `Invoice ${invoice.number}`, problem },
    html`${factList(headOf(invoice))}
<table>${[...linesOf(invoice), ...sumsOf(invoice)].map(([name, amount]) => html`<tr><td>${name}</td><td>${amount}</td></tr>`)}</table>
${invoice.status === 'open' && html`<h2>Pay this invoice</h2>${cardForm(`Pay ${due}`)}`}`,
  );
}

type Facts = (readonly [string, string])[];

const headOf = (invoice: Invoice): Facts => [
  ['Status', invoice.status],
  ['Date of issue', formatDate(invoice.status_transitions.finalized_at ?? invoice.created)],
  ['From', businessName],
  ['Bill to', billTo(invoice)],
];

const linesOf = ({ lines, currency }: Invoice): Facts =>
  lines.data.map((line) => [describe(line), formatAmount(line.amount, currency)]);

const sumsOf = ({ total, amount_paid, amount_remaining, currency }: Invoice): Facts => [
  ['Total', formatAmount(total, currency)],
  ['Paid', formatAmount(amount_paid, currency)],
  ['Amount due', formatAmount(amount_remaining, currency)],
];

const describe = ({ description, parent, period }: InvoiceLine): string =>
  parent === null ? description : `${description}, ${formatDate(period.start)} to ${formatDate(period.end)}`;

/** Who the invoice is for: invoices of earlier versions have the email address only. */
function billTo({ customer_name, customer_address, customer_tax_ids, customer_email }: Invoice): string {
  const { line1, line2, postal_code, city, state, country } = customer_address ?? {};
  const numbers = (customer_tax_ids ?? []).map(({ value }) => `Tax number ${value}`);
  const parts = [customer_name, line1, line2, postal_code, city, state, country, ...numbers, customer_email];
  return parts.filter(Boolean).join(', ');
}

function pay({ world, form, ids, invoice }: Visit): string {
  const card = saveCard(world, getCustomer(world, invoice.customer), readCardForm(form));
  // A person who pays by hand sees the decline and tries again; it does not count as an automatic attempt.
  const decline = declineOf(card);
  if (decline !== null) throw cardError(decline);
  if (invoice.status === 'open') collect(world, invoice, card.id);
  return `/invoice/${ids[0]}`;
}

function showPdf({ invoice }: Visit): Answer {
  const facts = [...headOf(invoice), ...linesOf(invoice), ...sumsOf(invoice)].map((fact) => fact.join(': '));
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
      'cache-control': 'no-store',
    },
    body: textPdf([`Invoice ${invoice.number}`, ...facts]),
  };
}

function openCharge(call: PageCall): (PageCall & { charge: Charge }) | undefined {
  const id = openTarget(call, 'receipt');
  return id === undefined ? undefined : { ...call, charge: getObject(call.world, 'charge', id) };
}

function showReceipt({ world, charge }: PageCall & { charge: Charge }): Answer {
  const { created, currency } = getObject(world, 'payment_intent', charge.payment_intent);
  const facts = [[`Paid on ${formatDate(created)}`, formatAmount(charge.amount, currency)]] as const;
  return page({ title: 'Receipt' }, factList(facts));
}
