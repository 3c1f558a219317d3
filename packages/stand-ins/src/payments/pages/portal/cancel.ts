import type { Answer } from '@assay/pages';
import { html, redirect } from '@assay/pages';
import { canCancel, cancelInPortal, keepInPortal, undoScheduledChange } from '../../billing/portal.ts';
import { itemOf, periodOf } from '../../billing/subscription-state.ts';
import { getObject } from '../../world.ts';
import { submit } from '../call.ts';
import { formatDate } from '../format.ts';
import { alert } from '../page.ts';
import { showHome } from './home.ts';
import { goBack } from './plans.ts';
import { afterTask, linkTo, portalPage, subscriptionInPath, type Visit } from './visit.ts';

export function showCancel(visit: Visit, problem: string | null = null, status = 200): Answer {
  const { world } = visit;
  const subscription = subscriptionInPath(visit);
  if (!canCancel(world, subscription)) return showHome(visit, 'This plan cannot be cancelled now.');
  const product = getObject(world, 'product', itemOf(subscription).price.product);
  return portalPage(
    visit,
    { title: 'Cancel plan', status },
    html`<h1>Cancel your plan</h1>
${alert(problem)}
<p class="lead"><strong>${product.name}</strong> stays yours until <strong>${formatDate(periodOf(subscription).end)}</strong> and is not renewed. Until then you can change your mind.</p>
<form method="post" action="${linkTo(visit, `/cancel/${subscription.id}`)}">
<div class="actions"><button class="danger">Cancel plan</button>${goBack(visit)}</div>
</form>`,
  );
}

export const cancelPlan = (visit: Visit): Answer =>
  submit(
    visit.call,
    () => {
      cancelInPortal(visit.world, subscriptionInPath(visit));
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
