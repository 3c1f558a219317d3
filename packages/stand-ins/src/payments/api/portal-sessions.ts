import { canCancel, getOffer, getSubscriptionOf, whyNotUpdatable } from '../billing/portal.ts';
import { invalidRequest } from '../errors.ts';
import { missing, type Params } from '../http/params.ts';
import { newId, newPageToken } from '../ids.ts';
import type { PortalConfiguration, PortalSession } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import type { ApiCall, Routes } from './call.ts';

export const portalSessionRoutes: Routes = { 'POST /v1/billing_portal/sessions': create };

type Flow = NonNullable<PortalSession['flow']>;

function create({ world, params }: ApiCall): PortalSession {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const configuration = readConfiguration(world, params);
  const now = world.clock.seconds();
  const token = newPageToken();
  const session: PortalSession = {
    id: newId('bps'),
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: now,
    customer: customer.id,
    customer_account: null,
    flow: readFlow(world, params.object('flow_data'), { customer: customer.id, configuration }),
    livemode: false,
    locale: params.choice('locale', ['auto', 'en']) ?? null,
    on_behalf_of: null,
    return_url: params.url('return_url') ?? configuration.default_return_url,
    url: `${world.publicUrl}/portal/${token}`,
  };
  world.store.put('billing_portal.session', session);
  world.store.put('page', { id: token, page: 'portal', target: session.id, created: now, lastUsed: null });
  return session;
}

function readConfiguration(world: World, params: Params): PortalConfiguration {
  const id = params.text('configuration');
  if (id === undefined) {
    throw invalidRequest(
      'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default.',
      { param: 'configuration' },
    );
  }
  const configuration = getObject(world, 'billing_portal.configuration', id, 'configuration');
  if (!configuration.active)
    throw invalidRequest('The configuration is not active.', { param: 'configuration' });
  return configuration;
}

interface Visitor {
  customer: string;
  configuration: PortalConfiguration;
}

/** A flow is a deep link: one task, without the rest of the portal around it. */
function readFlow(world: World, params: Params | undefined, visitor: Visitor): Flow | null {
  if (params === undefined) return null;
  const type = params.choice('type', [
    'payment_method_update',
    'subscription_cancel',
    'subscription_update',
    'subscription_update_confirm',
  ]);
  if (type === undefined) throw missing('flow_data[type]');
  const { features } = visitor.configuration;
  const flow: Flow = {
    after_completion: readAfterCompletion(params.object('after_completion')),
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type,
  };
  if (type === 'payment_method_update') {
    if (!features.payment_method_update.enabled) throw featureDisabled('payment method update');
    return flow;
  }
  const details = params.object(type);
  if (details === undefined) throw missing(`flow_data[${type}]`);
  const id = details.requiredText('subscription');
  const subscription = getSubscriptionOf(world, visitor.customer, id, details.nameOf('subscription'));
  if (type === 'subscription_cancel') {
    if (!canCancel(world, visitor.configuration, subscription)) throw featureDisabled('subscription cancel');
    return { ...flow, subscription_cancel: { retention: null, subscription: id } };
  }
  const obstacle = whyNotUpdatable(world, visitor.configuration, subscription);
  if (obstacle !== null)
    throw invalidRequest(`This subscription cannot be updated: ${obstacle}`, { param: 'flow_data' });
  if (type === 'subscription_update') return { ...flow, subscription_update: { subscription: id } };

  const items = (details.objects('items') ?? []).map((item) => ({
    id: item.requiredText('id'),
    price: item.requiredText('price'),
    quantity: item.integer('quantity') ?? 1,
  }));
  const [item] = items;
  if (item === undefined || items.length > 1 || item.id !== subscription.items.data[0]?.id) {
    throw invalidRequest('Name the one item of the subscription and its new price.', {
      param: details.nameOf('items'),
    });
  }
  getOffer(world, visitor.configuration, subscription, item.price);
  return { ...flow, subscription_update_confirm: { discounts: null, items, subscription: id } };
}

function readAfterCompletion(params: Params | undefined): Flow['after_completion'] {
  const type =
    params?.choice('type', ['hosted_confirmation', 'portal_homepage', 'redirect']) ?? 'portal_homepage';
  const redirect = params?.object('redirect')?.url('return_url');
  const message = params?.object('hosted_confirmation')?.text('custom_message') ?? null;
  if (type === 'redirect' && redirect === undefined) {
    throw missing('flow_data[after_completion][redirect][return_url]');
  }
  return {
    hosted_confirmation: type === 'hosted_confirmation' ? { custom_message: message } : null,
    redirect: redirect === undefined ? null : { return_url: redirect },
    type,
  };
}

const featureDisabled = (feature: string) =>
  invalidRequest(`The ${feature} feature is disabled in the portal configuration, or does not apply.`, {
    param: 'flow_data[type]',
  });
