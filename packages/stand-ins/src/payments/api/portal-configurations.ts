import { invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { PortalConfiguration, PortalFeatures } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { listPage, matching } from './lists.ts';

const productsMax = 10;

export const portalConfigurationRoutes: Routes = {
  'POST /v1/billing_portal/configurations': create,
  'GET /v1/billing_portal/configurations': list,
  'GET /v1/billing_portal/configurations/:id': (call) =>
    getObject(call.world, 'billing_portal.configuration', idOf(call)),
  'POST /v1/billing_portal/configurations/:id': update,
};

const nothingEnabled: PortalFeatures = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: {
      enabled: false,
      feedback_options: null,
      options: ['too_expensive', 'missing_features', 'switched_service', 'unused', 'other'],
    },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    enabled: false,
    products: null,
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
};

function create({ world, params }: ApiCall): PortalConfiguration {
  if (!params.has('features')) throw missing('features');
  const now = world.clock.seconds();
  const configuration = applyParams(world, params, {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: now,
    default_return_url: null,
    features: nothingEnabled,
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: now,
  });
  world.store.put('billing_portal.configuration', configuration);
  emit(world, 'billing_portal.configuration.created', configuration);
  return configuration;
}

function update(call: ApiCall): PortalConfiguration {
  const { world, params } = call;
  const before = getObject(world, 'billing_portal.configuration', idOf(call));
  const active = params.boolean('active') ?? before.active;
  const after = applyParams(world, params, { ...before, active, updated: world.clock.seconds() });
  world.store.put('billing_portal.configuration', after);
  emit(world, 'billing_portal.configuration.updated', after, before);
  return after;
}

function list({ world, params }: ApiCall) {
  const newestFirst = world.store
    .all('billing_portal.configuration')
    .filter(matching('active', params.boolean('active')))
    .filter(matching('is_default', params.boolean('is_default')))
    .reverse();
  return listPage(params, { url: '/v1/billing_portal/configurations', newestFirst });
}

function applyParams(world: World, params: Params, before: PortalConfiguration): PortalConfiguration {
  const profile = params.object('business_profile');
  const returnUrl = params.has('default_return_url') ? (params.url('default_return_url') ?? null) : undefined;
  const name = params.clearableText('name');
  const features = applyFeatures(world, params.object('features'), before.features);
  if (features.subscription_update.enabled && !features.payment_method_update.enabled) {
    throw invalidRequest('Cannot enable subscription updates while payment method update is disabled.');
  }
  refuseEnabled(params.object('login_page'), 'login_page');
  return {
    ...before,
    business_profile:
      profile === undefined ? before.business_profile : readProfile(profile, before.business_profile),
    default_return_url: returnUrl === undefined ? before.default_return_url : returnUrl,
    features,
    metadata: applyMetadata(before.metadata, params.metadata()),
    name: name === undefined ? before.name : name,
  };
}

function readProfile(
  profile: Params,
  before: PortalConfiguration['business_profile'],
): PortalConfiguration['business_profile'] {
  const headline = profile.clearableText('headline');
  if (headline && headline.length > 60) {
    throw invalidRequest('The headline has at most 60 characters.', { param: 'business_profile[headline]' });
  }
  return {
    headline: headline === undefined ? before.headline : headline,
    privacy_policy_url: profile.url('privacy_policy_url') ?? before.privacy_policy_url,
    terms_of_service_url: profile.url('terms_of_service_url') ?? before.terms_of_service_url,
  };
}

function applyFeatures(world: World, params: Params | undefined, before: PortalFeatures): PortalFeatures {
  if (params === undefined) return before;
  refuseEnabled(params.object('customer_update'), 'features[customer_update]');
  refuseEnabled(params.object('subscription_pause'), 'features[subscription_pause]');
  return {
    ...before,
    invoice_history: {
      enabled: params.object('invoice_history')?.boolean('enabled') ?? before.invoice_history.enabled,
    },
    payment_method_update: {
      ...before.payment_method_update,
      enabled:
        params.object('payment_method_update')?.boolean('enabled') ?? before.payment_method_update.enabled,
    },
    subscription_cancel: applyCancel(params.object('subscription_cancel'), before.subscription_cancel),
    subscription_update: applyUpdate(world, params.object('subscription_update'), before.subscription_update),
  };
}

function applyCancel(
  params: Params | undefined,
  before: PortalFeatures['subscription_cancel'],
): PortalFeatures['subscription_cancel'] {
  if (params === undefined) return before;
  const reason = params.object('cancellation_reason');
  return {
    cancellation_reason: {
      ...before.cancellation_reason,
      enabled: reason?.boolean('enabled') ?? before.cancellation_reason.enabled,
      options: reason?.texts('options') ?? before.cancellation_reason.options,
    },
    enabled: params.boolean('enabled') ?? before.enabled,
    mode: params.choice('mode', ['at_period_end', 'immediately']) ?? before.mode,
    proration_behavior: params.choice('proration_behavior', ['none']) ?? 'none',
  };
}

function applyUpdate(
  world: World,
  params: Params | undefined,
  before: PortalFeatures['subscription_update'],
): PortalFeatures['subscription_update'] {
  if (params === undefined) return before;
  const updates = params.texts('default_allowed_updates');
  const unsupported = updates?.find((update) => update !== 'price');
  if (unsupported !== undefined) {
    throw invalidRequest(`The stand-in's portal changes prices only, not ${unsupported}.`, {
      param: 'features[subscription_update][default_allowed_updates]',
    });
  }
  const conditions = params.object('schedule_at_period_end')?.objects('conditions');
  const after: PortalFeatures['subscription_update'] = {
    ...before,
    billing_cycle_anchor:
      params.choice('billing_cycle_anchor', ['now', 'unchanged']) ?? before.billing_cycle_anchor,
    default_allowed_updates: updates ?? before.default_allowed_updates,
    enabled: params.boolean('enabled') ?? before.enabled,
    products: readProducts(world, params) ?? before.products ?? null,
    proration_behavior: params.choice('proration_behavior', ['none']) ?? 'none',
    schedule_at_period_end:
      conditions === undefined
        ? before.schedule_at_period_end
        : { conditions: conditions.map(readCondition) },
  };
  if (after.enabled && (after.products ?? []).length === 0)
    throw missing('features[subscription_update][products]');
  return after;
}

function readCondition(condition: Params) {
  const type = condition.choice('type', ['decreasing_item_amount', 'shortening_interval']);
  if (type === undefined) throw missing(condition.nameOf('type'));
  return { type };
}

type AllowedProduct = NonNullable<PortalFeatures['subscription_update']['products']>[number];

function readProducts(world: World, params: Params): AllowedProduct[] | undefined {
  const products = params.objects('products');
  if (products !== undefined && products.length > productsMax) {
    throw invalidRequest(`The portal offers at most ${productsMax} products.`, {
      param: params.nameOf('products'),
    });
  }
  return products?.map((entry) => {
    const product = getObject(world, 'product', entry.requiredText('product'), entry.nameOf('product'));
    const prices = entry.texts('prices') ?? [];
    if (prices.length === 0) throw missing(entry.nameOf('prices'));
    assertOnePricePerInterval(world, product.id, prices, entry.nameOf('prices'));
    return {
      adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
      prices,
      product: product.id,
    };
  });
}

/** The portal tells a product's prices apart by their interval, so each may be there once. */
function assertOnePricePerInterval(world: World, product: string, prices: string[], param: string): void {
  const intervals = new Set<string>();
  for (const id of prices) {
    const price = getObject(world, 'price', id, param);
    if (price.product !== product || price.recurring === null) {
      throw invalidRequest(`The price ${id} is not a recurring price of the product ${product}.`, { param });
    }
    const interval = `${price.recurring.interval_count} ${price.recurring.interval}`;
    if (intervals.has(interval)) {
      throw invalidRequest('Each price of a product must have an interval of its own.', { param });
    }
    intervals.add(interval);
  }
}

function refuseEnabled(feature: Params | undefined, param: string): void {
  if (feature?.boolean('enabled'))
    throw invalidRequest("The stand-in's portal does not have this.", { param });
}
