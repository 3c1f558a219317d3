import type { Answer } from '@assay/pages';
import { type Html, html, redirect } from '@assay/pages';
import { linesOf } from '../api/checkout-sessions.ts';
import { completeCheckout, needsCard } from '../billing/checkout.ts';
import { formatAmount } from '../billing/money.ts';
import type { CheckoutSession } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type FormProblem, gone, openPage, type PageCall, type PageRoutes, submit } from './call.ts';
import { cardFields, readCardForm, testCardHelp } from './card-form.ts';
import { formatPrice } from './format.ts';
import { alert, page } from './page.ts';

export const checkoutPages: PageRoutes = {
  'GET /checkout/:token': (call) => inCheckout(call, (session) => showCheckout(call, session)),
  'POST /checkout/:token': (call) => inCheckout(call, (session) => complete(call, session)),
};

function inCheckout(call: PageCall, show: (session: CheckoutSession) => Answer): Answer {
  const access = openPage(call, 'checkout');
  if (access === undefined) return gone(call.world);
  const session = getObject(call.world, 'checkout.session', access.target);
  if (session.status === 'expired') return gone(call.world);
  // A second look at a finished checkout, by the browser's back button, leads on instead of paying twice.
  return session.status === 'complete' ? redirect(successUrl(session)) : show(session);
}

const successUrl = (session: CheckoutSession): string =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

function showCheckout(call: PageCall, session: CheckoutSession, problem?: FormProblem): Answer {
  const { world } = call;
  const isSetup = session.mode === 'setup';
  const title = isSetup ? 'Save a card' : 'Subscribe';
  return page(
    {
      title,
      businessName: world.businessName,
      back:
        session.cancel_url === null
          ? null
          : { href: session.cancel_url, label: `Back to ${world.businessName}` },
      formTargets: [session.success_url],
      status: problem?.status ?? 200,
    },
    html`<h1>${title}</h1>
${isSetup ? html`<p class="lead">The card is saved for later payments. Nothing is charged now.</p>` : summary(world, session)}
${alert(problem?.message && `${problem.message} You can try another card.`)}
<div class="with-help">
<form method="post" action="/checkout/${call.ids[0]}">
${needsCard(session) && cardFields(problem ? call.form : null, problem?.fields ?? {})}
<div class="actions"><button>${submitLabel(session)}</button></div>
</form>
${needsCard(session) && testCardHelp}
</div>`,
  );
}

function submitLabel(session: CheckoutSession): string {
  if (session.mode === 'setup') return 'Save card';
  const amount = session.amount_total ?? 0;
  return amount > 0 ? `Pay ${formatAmount(amount, session.currency ?? 'usd')} and subscribe` : 'Subscribe';
}

function summary(world: World, session: CheckoutSession): Html {
  return html`<table class="sums">
<tbody>
${linesOf(world, session).map(
  (line) =>
    html`<tr><th scope="row">${line.description}${(line.quantity ?? 1) > 1 && html` × ${line.quantity}`}</th><td class="number">${line.price && formatPrice(line.price)}</td></tr>`,
)}
<tr class="total"><th scope="row">Due today</th><td class="number"><strong>${formatAmount(session.amount_total ?? 0, session.currency ?? 'usd')}</strong></td></tr>
</tbody>
</table>`;
}

function complete(call: PageCall, session: CheckoutSession): Answer {
  return submit(
    call,
    () => {
      const { world, form } = call;
      const email =
        session.customer === null ? session.customer_email : getCustomer(world, session.customer).email;
      const card = needsCard(session) ? readCardForm(world, form, email) : null;
      return redirect(successUrl(completeCheckout(world, session, card)));
    },
    (problem) => showCheckout(call, session, problem),
  );
}
