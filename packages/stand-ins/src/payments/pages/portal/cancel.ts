import type { Answer } from '@assay/pages';
import { html, redirect } from '@assay/pages';
import { itemsOf, periodOf } from '../../billing/items.ts';
import { canCancel, cancelInPortal, keepInPortal, undoScheduledChange } from '../../billing/portal.ts';
import { getObject } from '../../world.ts';
import { submit } from '../call.ts';
import { formatDate } from '../format.ts';
import { alert } from '../page.ts';
import { showHome } from './home.ts';
import { goBack } from './plans.ts';
import { afterTask, linkTo, portalPage, subscriptionInPath, type Visit } from './visit.ts';

const reasons: Record<string, string> = {
  too_expensive: "It's too expensive",
  missing_features: 'I need more features',
  switched_service: 'I found an alternative',
  unused: "I don't use it enough",
  customer_service: 'Customer service was less than expected',
  too_complex: 'Ease of use was less than expected',
  low_quality: 'Quality was less than expected',
  other: 'Other reason',
};

export function showCancel(visit: Visit, problem: string | null = null, status = 200): Answer {
  const { world, configuration } = visit;
  const subscription = subscriptionInPath(visit);
  if (!canCancel(world, configuration, subscription))
    return showHome(visit, 'This plan cannot be cancelled now.');
  const { mode, cancellation_reason } = configuration.features.subscription_cancel;
  const product = getObject(world, 'product', itemsOf(subscription)[0]?.price.product ?? '');
  return portalPage(
    visit,
    { title: 'Cancel plan', status },
    html`<h1>Cancel your plan</h1>
${alert(problem)}
<p class="lead">${
      mode === 'immediately'
        ? html`<strong>${product.name}</strong> ends at once.`
        : html`<strong>${product.name}</strong> stays yours until <strong>${formatDate(periodOf(subscription).end)}</strong> and is not renewed. Until then you can change your mind.`
    }</p>
<form method="post" action="${linkTo(visit, `/cancel/${subscription.id}`)}">
${
  cancellation_reason.enabled &&
  html`<fieldset class="reasons"><legend>Why do you cancel? (optional)</legend>
${cancellation_reason.options.map(
  (option) =>
    html`<label><input type="radio" name="feedback" value="${option}"> ${reasons[option] ?? option}</label>`,
)}
</fieldset>`
}
<div class="actions"><button class="danger">Cancel plan</button>${goBack(visit)}</div>
</form>`,
  );
}

export const cancelPlan = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      const offered = visit.configuration.features.subscription_cancel.cancellation_reason.options;
      const feedback = visit.call.form.get('feedback');
      cancelInPortal(
        visit.world,
        visit.configuration,
        subscriptionInPath(visit),
        offered.find((option) => option === feedback) ?? null,
      );
      return afterTask(visit);
    },
    ({ message, status }) => showCancel(visit, message, status),
  );

export const keepPlan = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      keepInPortal(visit.world, subscriptionInPath(visit));
      return redirect(linkTo(visit, '/home'));
    },
    ({ message }) => showHome(visit, message),
  );

export const undoChange = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      undoScheduledChange(visit.world, subscriptionInPath(visit));
      return redirect(linkTo(visit, '/home'));
    },
    ({ message }) => showHome(visit, message),
  );
