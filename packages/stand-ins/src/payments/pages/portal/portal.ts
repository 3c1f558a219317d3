import { redirect } from '@assay/pages';
import type { PageRoutes } from '../call.ts';
import { cancelPlan, keepPlan, showCancel, undoChange } from './cancel.ts';
import { addCard, makeDefault, showCardForm } from './cards.ts';
import { showHome } from './home.ts';
import { confirmPlan, showConfirmation, showPlans } from './plans.ts';
import { inPortal, linkTo, type Visit } from './visit.ts';

export const portalPages: PageRoutes = {
  'GET /portal/:token': inPortal((visit) => redirect(linkTo(visit, entryOf(visit)))),
  'GET /portal/:token/home': inPortal((visit) => showHome(visit)),
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
};

/** Where the link leads first: the overview, or the one change that a deep link confirms. */
function entryOf({ session: { flow } }: Visit): string {
  if (flow?.type === 'payment_method_update') return '/card';
  const confirm = flow?.subscription_update_confirm;
  return confirm ? `/plans/${confirm.subscription}/${confirm.items[0]?.price}` : '/home';
}
