import type { Answer } from '@assay/pages';
import { html, redirect } from '@assay/pages';
import type { PageRoutes } from '../call.ts';
import { cancelPlan, keepPlan, showCancel, undoChange } from './cancel.ts';
import { addCard, makeDefault, removeCard, showCardForm } from './cards.ts';
import { showHome } from './home.ts';
import { confirmPlan, showConfirmation, showPlans } from './plans.ts';
import { inPortal, linkTo, portalPage, type Visit } from './visit.ts';

export const portalPages: PageRoutes = {
  'GET /portal/:token': inPortal((visit) => redirect(linkTo(visit, entryOf(visit)))),
  'GET /portal/:token/home': inPortal((visit) => showHome(visit)),
  'GET /portal/:token/done': inPortal(showDone),
  'GET /portal/:token/plans/:subscription': inPortal(showPlans),
  'GET /portal/:token/plans/:subscription/:price': inPortal((visit) => showConfirmation(visit)),
  'POST /portal/:token/plans/:subscription/:price': inPortal(confirmPlan),
  'GET /portal/:token/cancel/:subscription': inPortal((visit) => showCancel(visit)),
  'POST /portal/:token/cancel/:subscription': inPortal(cancelPlan),
  'POST /portal/:token/keep/:subscription': inPortal(keepPlan),
  'POST /portal/:token/undo/:subscription': inPortal(undoChange),
  'GET /portal/:token/card': inPortal((visit) => showCardForm(visit)),
  'POST /portal/:token/card': inPortal(addCard),
  'POST /portal/:token/card/:id/default': inPortal(makeDefault),
  'POST /portal/:token/card/:id/remove': inPortal(removeCard),
};

/** Where the link leads first: the overview, or the one task of a deep link. */
function entryOf({ session: { flow } }: Visit): string {
  if (flow === null) return '/home';
  if (flow.type === 'payment_method_update') return '/card';
  if (flow.subscription_cancel) return `/cancel/${flow.subscription_cancel.subscription}`;
  if (flow.subscription_update) return `/plans/${flow.subscription_update.subscription}`;
  const confirm = flow.subscription_update_confirm;
  return `/plans/${confirm?.subscription}/${confirm?.items[0]?.price}`;
}

function showDone(visit: Visit): Answer {
  const message = visit.session.flow?.after_completion.hosted_confirmation?.custom_message;
  return portalPage(
    visit,
    { title: 'Done' },
    html`<h1>Done</h1><p class="lead">${message ?? 'Your change is saved.'}</p>`,
  );
}
