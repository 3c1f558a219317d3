import { type Answer, html, redirect } from '@assay/pages';
import { cardsOf, getCardOf, saveCard, setDefaultCard } from '../billing/cards.ts';
import { formatAmount, formatPrice } from '../billing/money.ts';
import {
  acceptOffer,
  beginsLater,
  cancelInPortal,
  getOffer,
  getSubscriptionOf,
  keepPlan,
  offersOf,
  subscriptionsOf,
  whyNotUpdatable,
} from '../billing/portal.ts';
import { nextPhase } from '../billing/schedules.ts';
import { costOf, itemOf, periodOf, updateSubscription } from '../billing/subscription-state.ts';
import type { PaymentsError } from '../errors.ts';
import type { Customer, PaymentMethod, PortalSession, Price, Subscription } from '../objects.ts';
import { getCustomer, getObject } from '../world.ts';
import { cardForm, readCardForm } from './card-form.ts';
import { factList, formatDate, openTarget, type PageCall, type PageRoutes, page, pageOf } from './page.ts';

/** A customer in the portal, with the session that brought them there. */
interface Visit extends PageCall {
  session: PortalSession;
  customer: Customer;
}

export const portalPages: PageRoutes = {
  'GET /portal/:token': pageOf(open, (visit) => redirect(linkTo(visit, entryOf(visit)))),
  'GET /portal/:token/home': pageOf(open, showHome),
  'GET /portal/:token/plans/:subscription': pageOf(open, showPlans),
  'GET /portal/:token/plans/:subscription/:price': pageOf(open, showChange),
  'POST /portal/:token/plans/:subscription/:price': pageOf(open, showChange, changePlan),
  'GET /portal/:token/cancel/:subscription': pageOf(open, showCancel),
  'POST /portal/:token/cancel/:subscription': pageOf(open, showCancel, cancel),
  'POST /portal/:token/keep/:subscription': pageOf(open, showHome, keep),
  'GET /portal/:token/card': pageOf(open, showCardForm),
  'POST /portal/:token/card': pageOf(open, showCardForm, addCard),
  'POST /portal/:token/card/:id/default': pageOf(open, showHome, makeDefault),
};

function open(call: PageCall): Visit | undefined {
  const id = openTarget(call, 'portal');
  if (id === undefined) return undefined;
  const session = getObject(call.world, 'billing_portal.session', id);
  return { ...call, session, customer: getCustomer(call.world, session.customer) };
}

/** Where the link leads first: the overview, or the one change that a deep link confirms. */
function entryOf({ session: { flow } }: Visit): string {
  if (flow?.type === 'payment_method_update') return '/card';
  const confirm = flow?.subscription_update_confirm;
  return confirm ? `/plans/${confirm.subscription}/${confirm.items[0]?.price}` : '/home';
}

const linkTo = ({ ids }: Visit, path: string): string => `/portal/${ids[0]}${path}`;

/** After a task: the overview, or the address that the deep link names. */
const afterTask = (visit: Visit): string =>
  visit.session.flow?.after_completion.redirect.return_url ?? linkTo(visit, '/home');

/** The subscription that the path names, if it is this customer's. */
const subscriptionIn = ({ world, ids, customer }: Visit): Subscription =>
  getSubscriptionOf(world, customer.id, ids[1] ?? '');

const headOf = ({ session }: Visit, title: string, problem?: PaymentsError) => ({
  title,
  back: { href: session.return_url, label: 'Return to' },
  formTargets: [session.flow?.after_completion.redirect.return_url],
  problem,
});

const productOf = ({ world }: Visit, price: Price): string => getObject(world, 'product', price.product).name;

function showHome(visit: Visit, problem?: PaymentsError): Answer {
  const { world, customer } = visit;
  const cards = cardsOf(world, customer.id);
  return page(
    headOf(visit, 'Billing', problem),
    html`<h2>Current plan</h2>
${subscriptionsOf(world, customer.id).map((subscription) => planOf(visit, subscription))}
<h2>Payment methods</h2>
<ul>${cards.map((card) => cardRow(visit, card))}</ul>
<a class="button" href="${linkTo(visit, '/card')}">Add payment method</a>`,
  );
}

function planOf(visit: Visit, subscription: Subscription) {
  const { price } = itemOf(subscription);
  const link = (path: string) => linkTo(visit, `/${path}/${subscription.id}`);
  const keepButton = (label: string) =>
    html`<form method="post" action="${link('keep')}"><button>${label}</button></form>`;
  const canCancel = subscription.cancel_at === null && !nextPhase(visit.world, subscription);
  return html`<h3>${productOf(visit, price)}</h3>
<p>${formatPrice(price)}</p>
<p>${noteOn(visit, subscription)}</p>
<div class="actions">
${whyNotUpdatable(visit.world, subscription) === null && html`<a class="button" href="${link('plans')}">Update plan</a>`}
${canCancel && html`<a class="button" href="${link('cancel')}">Cancel plan</a>`}
${!canCancel && keepButton(subscription.cancel_at === null ? "Don't change plan" : "Don't cancel plan")}
</div>`;
}

function noteOn(visit: Visit, subscription: Subscription) {
  const { world } = visit;
  const { cancel_at, latest_invoice } = subscription;
  if (cancel_at !== null) return `Your plan ends on ${formatDate(cancel_at)}. You can use it until then.`;
  const change = nextPhase(world, subscription);
  if (change) {
    const price = getObject(world, 'price', change.items[0]?.price ?? '');
    return `Changes to ${productOf(visit, price)} (${formatPrice(price)}) on ${formatDate(change.start_date)}.`;
  }
  const invoice = world.store.find('invoice', latest_invoice ?? '');
  if (invoice?.status !== 'open') return `Renews on ${formatDate(periodOf(subscription).end)}.`;
  const due = formatAmount(invoice.amount_remaining, invoice.currency);
  return html`Your last payment did not go through. <a href="${invoice.hosted_invoice_url ?? ''}">Pay ${due} now</a>`;
}

const nameOf = ({ card }: PaymentMethod): string => `Visa ending in ${card.last4}`;

function cardRow(visit: Visit, card: PaymentMethod) {
  if (visit.customer.invoice_settings.default_payment_method === card.id) {
    return html`<li>${nameOf(card)}, default</li>`;
  }
  return html`<li><form method="post" action="${linkTo(visit, `/card/${card.id}/default`)}"><button>Make default: ${nameOf(card)}</button></form></li>`;
}

function showPlans(visit: Visit): Answer {
  const subscription = subscriptionIn(visit);
  const offers = offersOf(visit.world, visit.session).map((price) => {
    const name = productOf(visit, price);
    const cost = formatPrice(price);
    if (itemOf(subscription).price.id === price.id) return html`<li>${name}, your plan: ${cost}</li>`;
    const word = price.unit_amount > costOf(subscription) ? 'Upgrade' : 'Choose';
    const href = linkTo(visit, `/plans/${subscription.id}/${price.id}`);
    return html`<li><a href="${href}">${word} ${name}</a> ${cost}</li>`;
  });
  return page(headOf(visit, 'Update your plan'), html`<ul>${offers}</ul>`);
}

/** Says what a change costs and when it happens, before it does. */
function showChange(visit: Visit, problem?: PaymentsError): Answer {
  const subscription = subscriptionIn(visit);
  const price = getOffer(visit.world, visit.session, visit.ids[2] ?? '');
  const isLater = beginsLater(subscription, price);
  const dueToday = formatAmount(isLater ? 0 : price.unit_amount, price.currency);
  return page(
    headOf(visit, 'Confirm your plan', problem),
    html`${factList([
      ['Your plan', productOf(visit, itemOf(subscription).price)],
      ['New plan', `${productOf(visit, price)}, ${formatPrice(price)}`],
      ['Begins', isLater ? formatDate(periodOf(subscription).end) : 'at once'],
      ['Due today', dueToday],
    ])}
<form method="post"><button>${isLater ? 'Schedule the change' : `Pay ${dueToday} and switch`}</button></form>`,
  );
}

function changePlan(visit: Visit): string {
  acceptOffer(visit.world, subscriptionIn(visit), getOffer(visit.world, visit.session, visit.ids[2] ?? ''));
  return afterTask(visit);
}

function showCancel(visit: Visit, problem?: PaymentsError): Answer {
  const end = formatDate(periodOf(subscriptionIn(visit)).end);
  return page(
    headOf(visit, 'Cancel your plan', problem),
    html`<p>Your plan stays yours until ${end} and is not renewed. Until then you can change your mind.</p>
<form method="post"><button>Cancel plan</button></form>`,
  );
}

function cancel(visit: Visit): string {
  cancelInPortal(visit.world, subscriptionIn(visit));
  return afterTask(visit);
}

function keep(visit: Visit): string {
  keepPlan(visit.world, subscriptionIn(visit));
  return linkTo(visit, '/home');
}

function showCardForm(visit: Visit, problem?: PaymentsError): Answer {
  return page(
    headOf(visit, 'Add a payment method', problem),
    html`<p>It becomes the card that your plan is paid with.</p>${cardForm('Add card')}`,
  );
}

function addCard(visit: Visit): string {
  useCard(visit, saveCard(visit.world, visit.customer, readCardForm(visit.form)));
  return afterTask(visit);
}

function makeDefault(visit: Visit): string {
  useCard(visit, getCardOf(visit.world, visit.customer.id, visit.ids[1] ?? ''));
  return linkTo(visit, '/home');
}

/** The customer's default, and no longer hidden by a card of a subscription's own. */
function useCard({ world, customer }: Visit, { id }: PaymentMethod): void {
  setDefaultCard(world, customer, id);
  for (const subscription of subscriptionsOf(world, customer.id)) {
    if (subscription.default_payment_method !== null) {
      updateSubscription(world, subscription.id, { default_payment_method: id });
    }
  }
}
