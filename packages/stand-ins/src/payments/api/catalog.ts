import { invalidRequest } from '../errors.ts';
import { blank, type Price, type Product } from '../objects.ts';
import { getObject, make, newId } from '../world.ts';
import { type ApiCall, idOf, listPage, type Routes, retrieving } from './call.ts';

export const catalogRoutes: Routes = {
  'POST /v1/products': createProduct,
  'GET /v1/products/:id': retrieving('product'),
  'POST /v1/products/:id': (call) => putProduct(call, getObject(call.world, 'product', idOf(call))),
  'POST /v1/prices': createPrice,
  'GET /v1/prices': listPrices,
  'GET /v1/prices/:id': retrieving('price'),
  'POST /v1/prices/:id': updatePrice,
};

function createProduct(call: ApiCall): Product {
  const { world, params } = call;
  const id = params.text('id') ?? newId('prod');
  if (world.store.find('product', id)) throw invalidRequest('Product already exists.', { param: 'id' });
  const name = params.requiredText('name');
  return putProduct(call, { ...blank.product, id, active: true, name, metadata: params.metadata() });
}

function putProduct({ world, params }: ApiCall, before: Product): Product {
  return world.store.put('product', {
    ...before,
    active: params.boolean('active') ?? before.active,
    description: params.text('description') ?? before.description,
    name: params.text('name') ?? before.name,
  });
}

function createPrice({ world, params }: ApiCall): Price {
  params.requiredObject('recurring').fixed({ interval: 'month' });
  const lookup_key = params.text('lookup_key') ?? null;
  const mayTransfer = params.boolean('transfer_lookup_key') ?? false;
  const holder = world.store.all('price').find((price) => price.lookup_key === (lookup_key ?? ''));
  // A key names one price at a time; it moves to another only when the caller says so.
  if (holder !== undefined && !mayTransfer) {
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  }
  if (holder !== undefined) world.store.put('price', { ...holder, lookup_key: null });
  return make(world, 'price', {
    active: true,
    currency: params.requiredText('currency'),
    lookup_key,
    metadata: params.metadata(),
    product: getObject(world, 'product', params.requiredText('product'), 'product').id,
    recurring: { interval: 'month', interval_count: 1 },
    unit_amount: params.integer('unit_amount') ?? 0,
  });
}

function updatePrice(call: ApiCall): Price {
  const before = getObject(call.world, 'price', idOf(call));
  return call.world.store.put('price', { ...before, active: call.params.boolean('active') ?? before.active });
}

function listPrices(call: ApiCall) {
  const { world, params } = call;
  const keys = params.texts('lookup_keys');
  const active = params.boolean('active');
  const prices = world.store
    .all('price')
    .filter((price) => active === undefined || price.active === active)
    .filter((price) => keys.length === 0 || keys.includes(price.lookup_key ?? ''));
  return listPage(call, prices);
}
