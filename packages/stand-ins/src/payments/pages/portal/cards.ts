import type { Answer } from '@assay/pages';
import { html, redirect } from '@assay/pages';
import { getCardOf, saveCard, setDefaultCard } from '../../billing/cards.ts';
import { subscriptionsOf } from '../../billing/portal.ts';
import { updateSubscription } from '../../billing/subscription-state.ts';
import { getCustomer } from '../../world.ts';
import { type FormProblem, submit } from '../call.ts';
import { cardFields, readCardForm, testCardHelp } from '../card-form.ts';
import { alert } from '../page.ts';
import { showHome } from './home.ts';
import { goBack } from './plans.ts';
import { afterTask, linkTo, portalPage, type Visit } from './visit.ts';

export function showCardForm(visit: Visit, problem?: FormProblem): Answer {
  const next = planToReturnTo(visit);
  return portalPage(
    visit,
    { title: 'Add payment method', status: problem?.status ?? 200 },
    html`<h1>Add a payment method</h1>
<p class="lead">It becomes the card that your plan is paid with.</p>
${alert(problem?.message)}
<div class="with-help">
<form method="post" action="${linkTo(visit, next ? `/card?next=${next.join('.')}` : '/card')}">
${cardFields}
<div class="actions"><button>Add card</button>${goBack(visit)}</div>
</form>
${testCardHelp}
</div>`,
  );
}

/** The subscription and price of the confirmation that asked for a card, when one did. */
function planToReturnTo({ call }: Visit): string[] | null {
  const match = /^(sub_\w+)\.(price_\w+)$/.exec(call.query.get('next') ?? '');
  return match?.slice(1) ?? null;
}

export const addCard = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      const { world, customer, call } = visit;
      const card = saveCard(world, customer, readCardForm(call.form));
      useCard(visit, card.id);
      const next = planToReturnTo(visit);
      return next ? redirect(linkTo(visit, `/plans/${next.join('/')}`)) : afterTask(visit);
    },
    (problem) => showCardForm(visit, problem),
  );

export const makeDefault = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      const card = getCardOf(visit.world, visit.customer.id, visit.call.ids[1] ?? '', 'card');
      useCard(visit, card.id);
      return redirect(linkTo(visit, '/home'));
    },
    ({ message }) => showHome(visit, message),
  );

/** The customer's default, and no longer hidden by a card of a subscription's own. */
function useCard({ world, customer }: Visit, cardId: string): void {
  setDefaultCard(world, getCustomer(world, customer.id), cardId);
  for (const subscription of subscriptionsOf(world, customer.id)) {
    if (subscription.default_payment_method !== null) {
      updateSubscription(world, subscription.id, { default_payment_method: cardId });
    }
  }
}
