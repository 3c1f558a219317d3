import type { Answer } from '@assay/pages';
import { type Html, html, redirect } from '@assay/pages';
import { declineOf, saveCard } from '../billing/cards.ts';
import { collect } from '../billing/collection.ts';
import { formatAmount } from '../billing/money.ts';
import { cardError } from '../errors.ts';
import type { Invoice, PaymentMethod } from '../wire.ts';
import { businessName, getCustomer, getObject, type World } from '../world.ts';
import { type FormProblem, gone, openPage, type PageCall, type PageRoutes, submit } from './call.ts';
import { cardFields, readCardForm, testCardHelp } from './card-form.ts';
import { formatBrand, formatDate } from './format.ts';
import { alert, page } from './page.ts';
import { textPdf } from './pdf.ts';
import { statusChip } from './portal/home.ts';

export const invoicePages: PageRoutes = {
  'GET /invoice/:token': (call) => withInvoice(call, (invoice) => showInvoice(call, invoice)),
  'GET /invoice/:token/pdf': (call) => withInvoice(call, invoicePdf),
  'GET /receipt/:token': showReceipt,
  'POST /invoice/:token': (call) => withInvoice(call, (invoice) => pay(call, invoice)),
};

function withInvoice(call: PageCall, show: (invoice: Invoice) => Answer): Answer {
  const access = openPage(call, 'invoice');
  return access === undefined ? gone() : show(getObject(call.world, 'invoice', access.target));
}

function showInvoice(call: PageCall, invoice: Invoice, problem?: FormProblem): Answer {
  return page(
    {
      title: `Invoice ${invoice.number}`,
      layout: 'document',
      status: problem?.status ?? 200,
    },
    html`<div class="sheet">
<div class="sheet-head"><h1>Invoice</h1>${statusChip(invoice)}</div>
<dl class="facts">
<div><dt>Number</dt><dd>${invoice.number}</dd></div>
<div><dt>Date of issue</dt><dd>${formatDate(invoice.status_transitions.finalized_at ?? invoice.created)}</dd></div>
${invoice.status_transitions.paid_at !== null && html`<div><dt>Paid on</dt><dd>${formatDate(invoice.status_transitions.paid_at)}</dd></div>`}
<div><dt>From</dt><dd>${businessName}</dd></div>
<div><dt>Bill to</dt><dd>${billTo(invoice).map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</dd></div>
</dl>
${lines(invoice)}
</div>
${invoice.status === 'open' && paymentForms(call, invoice, problem)}`,
  );
}

/** Who the invoice is for: invoices of earlier versions have the address only. */
function billTo({ customer_name, customer_address, customer_tax_ids, customer_email }: Invoice): string[] {
  const { line1, line2, postal_code, city, state, country } = customer_address ?? {};
  const place = [postal_code, city].filter(Boolean).join(' ');
  const numbers = (customer_tax_ids ?? []).map(({ value }) => `Tax number ${value}`);
  const lines = [customer_name, line1, line2, place, state, country, ...numbers, customer_email];
  return lines.filter((line): line is string => typeof line === 'string' && line !== '');
}

function showReceipt(call: PageCall): Answer {
  const access = openPage(call, 'receipt');
  if (access === undefined) return gone();
  const charge = getObject(call.world, 'charge', access.target);
  const intent = getObject(call.world, 'payment_intent', charge.payment_intent);
  return page(
    { title: 'Receipt', layout: 'document' },
    html`<div class="sheet">
<div class="sheet-head"><h1>Receipt</h1></div>
<dl class="facts">
<div><dt>From</dt><dd>${businessName}</dd></div>
<div><dt>Paid on</dt><dd>${formatDate(intent.created)}</dd></div>
<div><dt>Amount paid</dt><dd>${formatAmount(charge.amount, intent.currency)}</dd></div>
</dl>
</div>`,
  );
}

/** One page with the facts of the invoice. */
function invoicePdf(invoice: Invoice): Answer {
  const facts = [
    `${businessName}: invoice ${invoice.number}`,
    ...billTo(invoice).map((line) => `Bill to: ${line}`),
    ...invoice.lines.data.map((line) => `${line.description}: ${formatAmount(line.amount, line.currency)}`),
    `Total: ${formatAmount(invoice.total, invoice.currency)}`,
  ];
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Invoice-${invoice.number}.pdf"`,
      'cache-control': 'no-store',
    },
    body: textPdf(facts),
  };
}

function lines(invoice: Invoice): Html {
  const sum = (label: string, amount: number, isStrong = false): Html => {
    const text = formatAmount(amount, invoice.currency);
    return html`<tr class="${isStrong ? 'total' : ''}"><th scope="row">${label}</th><td class="number">${isStrong ? html`<strong>${text}</strong>` : text}</td></tr>`;
  };
  return html`<table class="sums">
<thead><tr><th scope="col">Description</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${invoice.lines.data.map(
  (line) =>
    html`<tr><th scope="row">${line.description}${line.parent !== null && html`<span class="muted period">${formatDate(line.period.start)} – ${formatDate(line.period.end)}</span>`}</th><td class="number">${formatAmount(line.amount, line.currency)}</td></tr>`,
)}
</tbody>
<tbody>
${sum('Total', invoice.total)}
${invoice.amount_due !== invoice.total && sum('Applied balance', invoice.amount_due - invoice.total)}
${invoice.amount_paid > 0 && sum('Paid', invoice.amount_paid)}
${sum('Amount due', invoice.amount_remaining, true)}
</tbody>
</table>`;
}

function paymentForms(call: PageCall, invoice: Invoice, problem?: FormProblem): Html {
  const { world } = call;
  const saved = savedCard(world, invoice);
  const action = `/invoice/${call.ids[0]}`;
  const amount = formatAmount(invoice.amount_remaining, invoice.currency);
  return html`<section class="no-print" aria-labelledby="pay">
<h2 id="pay">Pay this invoice</h2>
${alert(problem?.message)}
${
  saved &&
  html`<form method="post" action="${action}"><input type="hidden" name="saved" value="yes"><div class="actions"><button>Pay ${amount} with ${formatBrand(saved)} ending in ${saved.card.last4}</button></div></form>
<h3>Or pay with another card</h3>`
}
<div class="with-help">
<form method="post" action="${action}">
${cardFields}
<div class="actions"><button class="${saved ? 'quiet' : ''}">Pay ${amount}</button></div>
</form>
${testCardHelp}
</div>
</section>`;
}

function savedCard(world: World, invoice: Invoice): PaymentMethod | undefined {
  const id = getCustomer(world, invoice.customer).invoice_settings.default_payment_method;
  return id === null ? undefined : getObject(world, 'payment_method', id);
}

function pay(call: PageCall, invoice: Invoice): Answer {
  return submit(
    call,
    () => {
      const { world, form } = call;
      const customer = getCustomer(world, invoice.customer);
      const saved = form.get('saved') === 'yes' ? savedCard(world, invoice) : undefined;
      const card = saved ?? saveCard(world, customer, readCardForm(form));
      // A person who pays by hand sees the decline and tries again; it does not count as an automatic attempt.
      const decline = declineOf(world, card.id);
      if (decline !== null) throw cardError(decline);
      if (invoice.status === 'open') collect(world, invoice, card.id);
      return redirect(`/invoice/${call.ids[0]}`);
    },
    (problem) => showInvoice(call, invoice, problem),
  );
}
