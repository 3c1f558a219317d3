import type { Clock } from './clock.ts';
import { missingResource } from './errors.ts';
import type { Store } from './store/store.ts';
import type { Kind, Tables } from './store/tables.ts';
import type { Customer, DeletedCustomer, TaxId } from './wire.ts';

/** Where events go, and the secret that signs them. */
export interface WebhookEndpoint {
  url: string;
  secret: string;
}

/** What every call, page and renewal works on. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  /** The origin that people's browsers reach. */
  readonly publicUrl: string;
  readonly webhook: WebhookEndpoint | undefined;
}

/** The name on pages and invoices. */
export const businessName = 'Assay';

export function getObject<K extends Exclude<Kind, 'customer'>>(
  world: World,
  kind: K,
  id: string,
  param = 'id',
): Tables[K] {
  const found = world.store.find(kind, id);
  if (found === undefined) throw missingResource(kind.replaceAll('_', ' '), id, param);
  return found;
}

/** A customer who has not been deleted. */
export function getCustomer(world: World, id: string, param = 'id'): Customer {
  const customer = world.store.find('customer', id);
  if (customer === undefined || isDeleted(customer)) throw missingResource('customer', id, param);
  return customer;
}

export const isDeleted = (customer: Tables['customer']): customer is DeletedCustomer => 'deleted' in customer;

export const taxIdsOf = (world: World, customer: string): TaxId[] =>
  world.store.all('tax_id').filter((taxId) => taxId.customer === customer);
