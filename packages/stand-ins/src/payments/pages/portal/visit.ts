import type { Answer, Html } from '@assay/pages';
import { redirect } from '@assay/pages';
import { getSubscriptionOf } from '../../billing/portal.ts';
import type { Customer, PortalConfiguration, PortalSession, Subscription } from '../../wire.ts';
import { businessName, getObject, isDeleted, type World } from '../../world.ts';
import { gone, openPage, type PageCall, type PageHandler } from '../call.ts';
import { type PageHead, page } from '../page.ts';

/** A customer in the portal, with the session and configuration that brought them there. */
export interface Visit {
  call: PageCall;
  world: World;
  token: string;
  session: PortalSession;
  configuration: PortalConfiguration;
  customer: Customer;
}

/** Opens the portal to the holder of a token that is still good. */
export const inPortal =
  (show: (visit: Visit) => Answer): PageHandler =>
  (call) => {
    const access = openPage(call, 'portal');
    if (access === undefined) return gone();
    const { world } = call;
    const session = getObject(world, 'billing_portal.session', access.target);
    const customer = world.store.find('customer', session.customer);
    if (customer === undefined || isDeleted(customer)) return gone();
    return show({
      call,
      world,
      token: access.id,
      session,
      configuration: getObject(world, 'billing_portal.configuration', session.configuration),
      customer,
    });
  };

/** The subscription that the path names, if it is this customer's. */
export const subscriptionInPath = ({ world, call, customer }: Visit): Subscription =>
  getSubscriptionOf(world, customer.id, call.ids[1] ?? '');

export const linkTo = (visit: Visit, path: string): string => `/portal/${visit.token}${path}`;

export function portalPage(visit: Visit, head: Pick<PageHead, 'title' | 'status'>, body: Html): Answer {
  const { session } = visit;
  return page(
    {
      ...head,
      back:
        session.return_url === null ? null : { href: session.return_url, label: `Return to ${businessName}` },
      formTargets: [session.flow?.after_completion.redirect.return_url],
    },
    body,
  );
}

/** After a task: the overview, or the address that the deep link names. */
export function afterTask(visit: Visit): Answer {
  const { flow } = visit.session;
  return redirect(flow === null ? linkTo(visit, '/home') : flow.after_completion.redirect.return_url);
}

/** In a deep link there is no overview to go back to, only the way out. */
export const wayBack = (visit: Visit): string | null =>
  visit.session.flow === null ? linkTo(visit, '/home') : visit.session.return_url;
