import { invalidRequest } from '../errors.ts';
import type { Params } from '../http/params.ts';
import { newId } from '../ids.ts';
import type { Price, Product } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { listPage, matching } from './lists.ts';

export const catalogRoutes: Routes = {
  'POST /v1/products': createProduct,
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
  const product: Product = {
    id,
    object: 'product',
    active: params.boolean('active') ?? true,
    description: params.text('description') ?? null,
    metadata: params.metadata(),
    name: params.requiredText('name'),
  };
  world.store.put('product', product);
  return product;
}

function updateProduct(call: ApiCall): Product {
  const { world, params } = call;
  const before = getObject(world, 'product', idOf(call));
  const after: Product = {
    ...before,
    active: params.boolean('active') ?? before.active,
    description: params.text('description') ?? before.description,
    name: params.text('name') ?? before.name,
  };
  world.store.put('product', after);
  return after;
}

function createPrice({ world, params }: ApiCall): Price {
  const product = getObject(world, 'product', params.requiredText('product'), 'product');
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: true,
    currency: params.requiredText('currency'),
    lookup_key: takeLookupKey(world, params),
    metadata: params.metadata(),
    product: product.id,
    recurring: {
      interval: params.requiredObject('recurring').requiredChoice('interval', ['month']),
      interval_count: 1,
    },
    unit_amount: params.integer('unit_amount') ?? 0,
  };
  world.store.put('price', price);
  return price;
}

/** A key names one price at a time; it moves to another only when the caller says so. */
function takeLookupKey(world: World, params: Params): string | null {
  const key = params.text('lookup_key');
  const mayTransfer = params.boolean('transfer_lookup_key') ?? false;
  if (key === undefined) return null;
  const holder = world.store.all('price').find((price) => price.lookup_key === key);
  if (holder !== undefined && !mayTransfer) {
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  }
  if (holder !== undefined) putPrice(world, { ...holder, lookup_key: null });
  return key;
}

function updatePrice(call: ApiCall): Price {
  const before = getObject(call.world, 'price', idOf(call));
  return putPrice(call.world, { ...before, active: call.params.boolean('active') ?? before.active });
}

/** Subscriptions show their prices in full, so they follow what changes about one. */
function putPrice(world: World, price: Price): Price {
  world.store.put('price', price);
  for (const subscription of world.store.all('subscription')) {
    const { items } = subscription;
    if (!items.data.some((item) => item.price.id === price.id)) continue;
    const data = items.data.map((item) => ({ ...item, price }));
    world.store.put('subscription', { ...subscription, items: { ...items, data } });
  }
  return price;
}

function listPrices({ world, params }: ApiCall) {
  const keys = params.texts('lookup_keys');
  const prices = world.store
    .all('price')
    .filter(matching('active', params.boolean('active')))
    .filter((price) => keys === undefined || (price.lookup_key !== null && keys.includes(price.lookup_key)));
  return listPage(params, '/v1/prices', prices);
}
