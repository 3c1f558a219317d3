import { type Answer, html, redirect } from '@assay/pages';
import { completeCheckout, priceOf } from '../billing/checkout.ts';
import { formatAmount } from '../billing/money.ts';
import type { CheckoutSession } from '../wire.ts';
import { businessName, getObject } from '../world.ts';
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
  if (access === undefined) return gone();
  const session = getObject(call.world, 'checkout.session', access.target);
  if (session.status === 'expired') return gone();
  // A second look at a finished checkout, by the browser's back button, leads on instead of paying twice.
  return session.status === 'complete' ? redirect(session.success_url) : show(session);
}

function showCheckout(call: PageCall, session: CheckoutSession, problem?: FormProblem): Answer {
  const { world } = call;
  const price = priceOf(world, session);
  const amount = formatAmount(price.unit_amount, price.currency);
  const title = session.mode === 'payment' ? 'Pay' : 'Subscribe';
  return page(
    {
      title,
      back:
        session.cancel_url === null ? null : { href: session.cancel_url, label: `Back to ${businessName}` },
      formTargets: [session.success_url],
      status: problem?.status ?? 200,
    },
    html`<h1>${title}</h1>
<table class="sums">
<tbody>
<tr><th scope="row">${getObject(world, 'product', price.product).name}</th><td class="number">${formatPrice(price)}</td></tr>
<tr class="total"><th scope="row">Due today</th><td class="number"><strong>${amount}</strong></td></tr>
</tbody>
</table>
${alert(problem?.message && `${problem.message} You can try another card.`)}
<div class="with-help">
<form method="post" action="/checkout/${call.ids[0]}">
${cardFields}
<div class="actions"><button>Pay ${amount}${session.mode !== 'payment' && ' and subscribe'}</button></div>
</form>
${testCardHelp}
</div>`,
  );
}

function complete(call: PageCall, session: CheckoutSession): Answer {
  return submit(
    call,
    () => {
      completeCheckout(call.world, session, readCardForm(call.form));
      return redirect(session.success_url);
    },
    (problem) => showCheckout(call, session, problem),
  );
}
