import type { Answer } from '@assay/pages';
import { type Html, html } from '@assay/pages';
import { cardsOf } from '../../billing/cards.ts';
import { formatAmount } from '../../billing/money.ts';
import { canCancel, subscriptionsOf, whyNotUpdatable } from '../../billing/portal.ts';
import { nextPhase } from '../../billing/schedules.ts';
import { itemOf, periodOf } from '../../billing/subscription-state.ts';
import type { Invoice, PaymentMethod, Subscription } from '../../wire.ts';
import { getObject } from '../../world.ts';
import { formatBrand, formatDate, formatExpiry, formatPrice } from '../format.ts';
import { alert } from '../page.ts';
import { linkTo, portalPage, type Visit } from './visit.ts';

const invoicesShown = 12;

export function showHome(visit: Visit, problem: string | null = null): Answer {
  const { world, configuration, customer } = visit;
  const subscriptions = subscriptionsOf(world, customer.id);
  return portalPage(
    visit,
    { title: 'Billing', ...(problem === null ? {} : { status: 400 }) },
    html`<h1>Billing</h1>
<p class="lead">${configuration.business_profile.headline ?? 'Your plan, your payment method and your invoices.'}</p>
${alert(problem)}
<section aria-labelledby="plan">
<h2 id="plan">Current plan</h2>
${subscriptions.length === 0 && html`<p class="muted">You have no plan at the moment.</p>`}
${subscriptions.map((subscription) => planCard(visit, subscription))}
</section>
${paymentMethods(visit)}
${invoices(visit)}`,
  );
}

function planCard(visit: Visit, subscription: Subscription): Html {
  const { world } = visit;
  const obstacle = whyNotUpdatable(world, subscription);
  const { price } = itemOf(subscription);
  return html`<article class="plan">
<h3>${getObject(world, 'product', price.product).name}</h3>
<p class="price">${formatPrice(price)}</p>
${planNote(visit, subscription)}
<div class="actions">
${obstacle === null && html`<a class="button" href="${linkTo(visit, `/plans/${subscription.id}`)}">Update plan</a>`}
${planAction(visit, subscription)}
</div>
</article>`;
}

function planNote(visit: Visit, subscription: Subscription): Html {
  const { world } = visit;
  const change = nextPhase(world, subscription);
  if (subscription.cancel_at !== null) {
    return html`<p class="note">Your plan ends on <strong>${formatDate(subscription.cancel_at)}</strong>. You can use it until then.</p>`;
  }
  if (change !== undefined) {
    const price = getObject(world, 'price', change.items[0]?.price ?? '');
    const product = getObject(world, 'product', price.product);
    return html`<p class="note">Changes to <strong>${product.name}</strong> (${formatPrice(price)}) on <strong>${formatDate(change.start_date)}</strong>.</p>`;
  }
  const open = openInvoice(visit, subscription);
  if (open !== undefined) {
    return html`<div class="alert"><p>Your last payment did not go through.${
      open.next_payment_attempt !== null &&
      html` It is tried again on ${formatDate(open.next_payment_attempt)}.`
    } <a href="${open.hosted_invoice_url ?? ''}">Pay ${formatAmount(open.amount_remaining, open.currency)} now</a></p></div>`;
  }
  return html`<p class="muted">Renews on ${formatDate(periodOf(subscription).end)}.</p>`;
}

function openInvoice(visit: Visit, subscription: Subscription): Invoice | undefined {
  if (subscription.latest_invoice === null) return undefined;
  const invoice = getObject(visit.world, 'invoice', subscription.latest_invoice);
  return invoice.status === 'open' ? invoice : undefined;
}

function planAction(visit: Visit, subscription: Subscription): Html | null {
  const { world } = visit;
  const post = (path: string, label: string) =>
    html`<form method="post" action="${linkTo(visit, `${path}/${subscription.id}`)}"><button class="quiet">${label}</button></form>`;
  if (subscription.cancel_at !== null) return post('/keep', "Don't cancel plan");
  if (nextPhase(world, subscription)) return post('/undo', "Don't change plan");
  if (!canCancel(world, subscription)) return null;
  return html`<a class="button quiet" href="${linkTo(visit, `/cancel/${subscription.id}`)}">Cancel plan</a>`;
}

function paymentMethods(visit: Visit): Html {
  const { world, customer } = visit;
  const cards = cardsOf(world, customer.id);
  return html`<section aria-labelledby="methods">
<h2 id="methods">Payment method</h2>
${cards.length === 0 && html`<p class="muted">No card is saved yet.</p>`}
${
  cards.length > 0 &&
  html`<ul class="methods">
${cards.map((card) => cardRow(visit, card))}
</ul>`
}
<p><a class="add" href="${linkTo(visit, '/card')}"><span aria-hidden="true">+</span> Add payment method</a></p>
</section>`;
}

function cardRow(visit: Visit, card: PaymentMethod): Html {
  const { customer } = visit;
  const isDefault = customer.invoice_settings.default_payment_method === card.id;
  return html`<li>
<span class="what"><strong>${formatBrand(card)}</strong> <span class="digits"><span aria-hidden="true">•••• </span>${card.card.last4}</span>${isDefault && html` <span class="chip">Default</span>`}</span>
<span class="muted">Expires ${formatExpiry(card)}</span>
<span class="actions">
${!isDefault && html`<form method="post" action="${linkTo(visit, `/card/${card.id}/default`)}"><button class="text">Make default<span class="hidden">: ${formatBrand(card)} ending in ${card.card.last4}</span></button></form>`}
</span>
</li>`;
}

function invoices(visit: Visit): Html {
  const newest = visit.world.store
    .all('invoice')
    .filter((invoice) => invoice.customer === visit.customer.id && invoice.status !== 'draft')
    .reverse()
    .slice(0, invoicesShown);
  return html`<section aria-labelledby="invoices">
<h2 id="invoices">Invoice history</h2>
${newest.length === 0 && html`<p class="muted">There are no invoices yet.</p>`}
${
  newest.length > 0 &&
  html`<table class="invoices">
<thead><tr><th scope="col">Date</th><th scope="col">Amount</th><th scope="col">Status</th><th scope="col">For</th><th scope="col"><span class="hidden">Invoice</span></th></tr></thead>
<tbody>
${newest.map((invoice) => invoiceRow(invoice))}
</tbody>
</table>`
}
</section>`;
}

const invoiceRow = (invoice: Invoice): Html => html`<tr>
<td>${formatDate(invoice.created)}</td>
<td class="number">${formatAmount(invoice.total, invoice.currency)}</td>
<td>${statusChip(invoice)}</td>
<td class="for">${invoice.lines.data.map((line) => line.description).join(', ')}</td>
<td><a href="${invoice.hosted_invoice_url ?? ''}">View<span class="hidden"> invoice ${invoice.number}</span></a></td>
</tr>`;

export const statusChip = ({ status }: Invoice): Html =>
  html`<span class="chip ${status}">${chipTexts[status]}</span>`;

const chipTexts = { draft: 'Open', open: 'Open', paid: 'Paid', void: 'Void' } as const;
