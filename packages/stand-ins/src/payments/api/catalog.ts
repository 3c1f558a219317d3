import { invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Price, Product } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const catalogRoutes: Routes = {
  'POST /v1/products': createProduct,
  'GET /v1/products': listProducts,
  'GET /v1/products/:id': (call) => getObject(call.world, 'product', idOf(call)),
  'POST /v1/products/:id': updateProduct,
  'POST /v1/prices': createPrice,
  'GET /v1/prices': listPrices,
  'GET /v1/prices/:id': (call) => getObject(call.world, 'price', idOf(call)),
  'POST /v1/prices/:id': updatePrice,
};

function createProduct({ world, params }: ApiCall): Product {
  const id = params.text('id') ?? newId('prod');
  if (world.store.find('product', id)) {
    throw invalidRequest('Product already exists.', { param: 'id', code: 'resource_already_exists' });
  }
  const now = world.clock.seconds();
  const product: Product = {
    id,
    object: 'product',
    active: params.boolean('active') ?? true,
    created: now,
    default_price: null,
    description: params.text('description') ?? null,
    images: [],
    livemode: false,
    marketing_features: readMarketingFeatures(params) ?? [],
    metadata: applyMetadata(null, params.metadata()),
    name: params.requiredText('name'),
    package_dimensions: null,
    shippable: null,
    statement_descriptor: params.text('statement_descriptor') ?? null,
    tax_code: params.text('tax_code') ?? null,
    tax_details: null,
    type: 'service',
    unit_label: params.text('unit_label') ?? null,
    updated: now,
    url: params.url('url') ?? null,
  };
  world.store.put('product', product);
  emit(world, 'product.created', product);
  return product;
}

const readMarketingFeatures = (params: Params): { name: string }[] | undefined =>
  params.objects('marketing_features')?.map((feature) => ({ name: feature.requiredText('name') }));

function updateProduct(call: ApiCall): Product {
  const { world, params } = call;
  const before = getObject(world, 'product', idOf(call));
  const defaultPrice = params.text('default_price');
  if (defaultPrice !== undefined) getObject(world, 'price', defaultPrice, 'default_price');
  const description = params.clearableText('description');
  const after: Product = {
    ...before,
    active: params.boolean('active') ?? before.active,
    default_price: defaultPrice ?? before.default_price ?? null,
    description: description === undefined ? before.description : description,
    marketing_features: readMarketingFeatures(params) ?? before.marketing_features,
    metadata: applyMetadata(before.metadata, params.metadata()),
    name: params.text('name') ?? before.name,
    updated: world.clock.seconds(),
  };
  world.store.put('product', after);
  emit(world, 'product.updated', after, before);
  return after;
}

function listProducts({ world, params }: ApiCall) {
  const ids = params.texts('ids');
  const newestFirst = world.store
    .all('product')
    .filter(matching('active', params.boolean('active')))
    .filter((product) => ids === undefined || ids.includes(product.id))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/products', newestFirst });
}

function createPrice({ world, params }: ApiCall): Price {
  const product = getObject(world, 'product', params.requiredText('product'), 'product');
  const amount = params.integer('unit_amount');
  if (amount === undefined) throw missing('unit_amount');
  if (amount < 0) throw invalidRequest('Invalid non-negative integer', { param: 'unit_amount' });
  const id = newId('price');
  const recurring = readRecurring(params);
  const price: Price = {
    id,
    object: 'price',
    active: params.boolean('active') ?? true,
    billing_scheme: 'per_unit',
    created: world.clock.seconds(),
    currency: params.requiredText('currency').toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: takeLookupKey(world, params, id) ?? null,
    metadata: applyMetadata(null, params.metadata()),
    nickname: params.text('nickname') ?? null,
    product: product.id,
    recurring,
    tax_behavior: params.choice('tax_behavior', ['exclusive', 'inclusive', 'unspecified']) ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring === null ? 'one_time' : 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
  world.store.put('price', price);
  emit(world, 'price.created', price);
  return price;
}

function readRecurring(params: Params): Price['recurring'] {
  const recurring = params.object('recurring');
  if (recurring === undefined) return null;
  const interval = recurring.choice('interval', ['day', 'week', 'month', 'year']);
  if (interval === undefined) throw missing('recurring[interval]');
  return {
    interval,
    interval_count: recurring.integer('interval_count') ?? 1,
    meter: null,
    trial_period_days: null,
    usage_type: recurring.choice('usage_type', ['licensed']) ?? 'licensed',
  };
}

/** A key names one price at a time; it moves to another only when the caller says so. */
function takeLookupKey(world: World, params: Params, priceId: string): string | null | undefined {
  const key = params.clearableText('lookup_key');
  const mayTransfer = params.boolean('transfer_lookup_key') ?? false;
  if (!key) return key;
  const holder = world.store.all('price').find((price) => price.lookup_key === key && price.id !== priceId);
  if (holder === undefined) return key;
  if (!mayTransfer) {
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  }
  putPrice(world, holder, { ...holder, lookup_key: null });
  return key;
}

function updatePrice(call: ApiCall): Price {
  const { world, params } = call;
  const before = getObject(world, 'price', idOf(call));
  const lookupKey = takeLookupKey(world, params, before.id);
  const nickname = params.clearableText('nickname');
  return putPrice(world, before, {
    ...before,
    active: params.boolean('active') ?? before.active,
    lookup_key: lookupKey === undefined ? before.lookup_key : lookupKey,
    metadata: applyMetadata(before.metadata, params.metadata()),
    nickname: nickname === undefined ? before.nickname : nickname,
  });
}

/** Subscriptions show their prices in full, so they follow what changes about one. */
function putPrice(world: World, before: Price, after: Price): Price {
  world.store.put('price', after);
  emit(world, 'price.updated', after, before);
  for (const subscription of world.store.all('subscription')) {
    if (!subscription.items.data.some((item) => item.price.id === after.id)) continue;
    const data = subscription.items.data.map((item) =>
      item.price.id === after.id ? { ...item, price: after } : item,
    );
    world.store.put('subscription', { ...subscription, items: { ...subscription.items, data } });
  }
  return after;
}

function listPrices({ world, params }: ApiCall) {
  const keys = params.texts('lookup_keys');
  const newestFirst = world.store
    .all('price')
    .filter(matching('active', params.boolean('active')))
    .filter(matching('product', params.text('product')))
    .filter(matching('currency', params.text('currency')))
    .filter(matching('type', params.choice('type', ['one_time', 'recurring'])))
    .filter((price) => keys === undefined || (price.lookup_key !== null && keys.includes(price.lookup_key)))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/prices', newestFirst });
}
