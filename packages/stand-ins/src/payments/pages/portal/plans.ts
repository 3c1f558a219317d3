import type { Answer } from '@assay/pages';
import { type Html, html } from '@assay/pages';
import { cardToCharge } from '../../billing/cards.ts';
import { formatAmount } from '../../billing/money.ts';
import { monthFrom } from '../../billing/periods.ts';
import { acceptOffer, getOffer, type Offer, offersFor, whyNotUpdatable } from '../../billing/portal.ts';
import { itemOf, periodOf } from '../../billing/subscription-state.ts';
import type { Subscription } from '../../wire.ts';
import { getObject } from '../../world.ts';
import { submit } from '../call.ts';
import { formatBrand, formatDate, formatPrice } from '../format.ts';
import { alert } from '../page.ts';
import { showHome } from './home.ts';
import { afterTask, linkTo, portalPage, subscriptionInPath, type Visit, wayBack } from './visit.ts';

export function showPlans(visit: Visit): Answer {
  const { world, configuration } = visit;
  const subscription = subscriptionInPath(visit);
  const obstacle = whyNotUpdatable(world, subscription);
  if (obstacle !== null) return showHome(visit, obstacle);
  const offers = offersFor(world, configuration, subscription);
  return portalPage(
    visit,
    { title: 'Update plan' },
    html`<h1>Update your plan</h1>
<p class="lead">A larger plan is charged in full and begins a new period at once. A smaller plan begins when the current period ends, on ${formatDate(periodOf(subscription).end)}.</p>
<ul class="offers">
${offers.map((offer) => offerRow(visit, subscription, offer))}
</ul>
${goBack(visit)}`,
  );
}

function offerRow(visit: Visit, subscription: Subscription, offer: Offer): Html {
  const { product, price } = offer;
  const href = linkTo(visit, `/plans/${subscription.id}/${price.id}`);
  const word = offer.isUpgrade ? 'Upgrade' : 'Choose';
  return html`<li class="${offer.isCurrent ? 'current' : ''}">
<div>
<h2>${product.name}</h2>
${product.description && html`<p class="muted">${product.description}</p>`}
</div>
<p class="price">${formatPrice(price)}</p>
${
  offer.isCurrent
    ? html`<span class="chip">Current plan</span>`
    : html`<a class="button ${offer.isUpgrade ? '' : 'quiet'}" href="${href}" aria-label="${word} ${product.name}">${word}</a>`
}
</li>`;
}

/** Says what a change costs and when it happens, before it does. */
export function showConfirmation(visit: Visit, problem: string | null = null, status = 200): Answer {
  const { world, configuration, call } = visit;
  const subscription = subscriptionInPath(visit);
  const obstacle = whyNotUpdatable(world, subscription);
  if (obstacle !== null) return showHome(visit, obstacle);
  const offer = getOffer(world, configuration, subscription, call.ids[2] ?? '');
  const currentPrice = itemOf(subscription).price;
  const current = getObject(world, 'product', currentPrice.product);
  const needsCard = offer.chargedNow > 0 && cardToCharge(world, subscription) === null;
  const here = linkTo(visit, `/plans/${subscription.id}/${offer.price.id}`);
  return portalPage(
    visit,
    { title: 'Confirm your plan', status },
    html`<h1>Confirm your plan</h1>
${alert(problem)}
<dl class="change">
<div><dt>Now</dt><dd><strong>${current.name}</strong><span class="price">${formatPrice(currentPrice)}</span></dd></div>
<div><dt>${offer.when === 'now' ? 'New plan' : `From ${formatDate(periodOf(subscription).end)}`}</dt><dd><strong>${offer.product.name}</strong><span class="price">${formatPrice(offer.price)}</span></dd></div>
</dl>
${offer.when === 'now' ? dueToday(visit, subscription, offer) : dueLater(subscription, offer)}
${
  needsCard
    ? html`<p class="note">A card is needed to pay for this plan.</p>
<div class="actions"><a class="button" href="${linkTo(visit, `/card?next=${subscription.id}.${offer.price.id}`)}">Add payment method</a>${backLink(visit, subscription)}</div>`
    : html`<form method="post" action="${here}"><div class="actions"><button>${confirmLabel(offer)}</button>${backLink(visit, subscription)}</div></form>`
}`,
  );
}

function confirmLabel(offer: Offer): string {
  if (offer.chargedNow > 0) return `Pay ${formatAmount(offer.chargedNow, offer.price.currency)} and switch`;
  return offer.when === 'period_end' ? 'Schedule the change' : 'Confirm';
}

function dueToday(visit: Visit, subscription: Subscription, offer: Offer): Html {
  const { world } = visit;
  const now = world.clock.seconds();
  const renewal = monthFrom(now, now).end;
  const card = cardToCharge(world, subscription);
  const method = card === null ? undefined : getObject(world, 'payment_method', card);
  return html`<table class="sums">
<tbody>
<tr><th scope="row">Due today</th><td class="number"><strong>${formatAmount(offer.chargedNow, offer.price.currency)}</strong></td></tr>
<tr><th scope="row">Then, from ${formatDate(renewal)}</th><td class="number">${formatPrice(offer.price)}</td></tr>
${method && html`<tr><th scope="row">Paid with</th><td>${formatBrand(method)} ending in ${method.card.last4}</td></tr>`}
</tbody>
</table>`;
}

const dueLater = (subscription: Subscription, offer: Offer): Html => html`<table class="sums">
<tbody>
<tr><th scope="row">Due today</th><td class="number"><strong>${formatAmount(0, offer.price.currency)}</strong></td></tr>
<tr><th scope="row">From ${formatDate(periodOf(subscription).end)}</th><td class="number">${formatPrice(offer.price)}</td></tr>
</tbody>
</table>
<p class="muted">Until then nothing changes.</p>`;

export const confirmPlan = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      const subscription = subscriptionInPath(visit);
      const offer = getOffer(visit.world, visit.configuration, subscription, visit.call.ids[2] ?? '');
      acceptOffer(visit.world, subscription, offer);
      return afterTask(visit);
    },
    ({ message, status }) => showConfirmation(visit, declinedMessage(message), status),
  );

const declinedMessage = (message: string | null): string =>
  `${message ?? ''} Nothing was changed and nothing was charged.`;

function backLink(visit: Visit, subscription: Subscription): Html | null {
  if (visit.session.flow !== null) return goBack(visit);
  return html`<a class="button quiet" href="${linkTo(visit, `/plans/${subscription.id}`)}">Go back</a>`;
}

export function goBack(visit: Visit): Html | null {
  const href = wayBack(visit);
  return href === null ? null : html`<a class="button quiet" href="${href}">Go back</a>`;
}
