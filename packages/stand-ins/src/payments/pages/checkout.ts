import { type Answer, html, redirect } from '@assay/pages';
import { completeCheckout, priceOf } from '../billing/checkout.ts';
import { formatAmount, formatPrice } from '../billing/money.ts';
import type { PaymentsError } from '../errors.ts';
import type { CheckoutSession } from '../objects.ts';
import { getObject } from '../world.ts';
import { cardForm, readCardForm } from './card-form.ts';
import { factList, openTarget, type PageCall, type PageRoutes, page, pageOf } from './page.ts';

interface Visit extends PageCall {
  session: CheckoutSession;
}

export const checkoutPages: PageRoutes = {
  'GET /checkout/:token': pageOf(open, show),
  'POST /checkout/:token': pageOf(open, show, pay),
};

function open(call: PageCall): Visit | undefined {
  const id = openTarget(call, 'checkout');
  const session = id === undefined ? undefined : getObject(call.world, 'checkout.session', id);
  return session === undefined || session.status === 'expired' ? undefined : { ...call, session };
}

function show({ world, session }: Visit, problem?: PaymentsError): Answer {
  // A second look at a finished checkout, by the browser's back button, leads on instead of paying twice.
  if (session.status === 'complete') return redirect(session.success_url);
  const price = priceOf(world, session);
  const amount = formatAmount(price.unit_amount, price.currency);
  const isPayment = session.mode === 'payment';
  return page(
    {
      title: isPayment ? 'Pay' : 'Subscribe',
      back: { href: session.cancel_url, label: 'Back to' },
      formTargets: [session.success_url],
      problem,
    },
    html`${factList([
      [getObject(world, 'product', price.product).name, formatPrice(price)],
      ['Due today', amount],
    ])}
${cardForm(isPayment ? `Pay ${amount}` : `Pay ${amount} and subscribe`)}`,
  );
}

function pay({ world, session, form }: Visit): string {
  if (session.status === 'open') completeCheckout(world, session, readCardForm(form));
  return session.success_url;
}
