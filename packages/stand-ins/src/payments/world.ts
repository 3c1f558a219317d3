import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { missingResource } from './errors.ts';
import { blank, type Customer, type Objects, type TaxId } from './objects.ts';
import type { Store } from './store/store.ts';
import type { Kind, PageAccess, Tables } from './store/tables.ts';

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

/** An id as the API writes it, such as `cus_` and letters or digits. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

/** Makes an object of the API, and keeps it. */
export function make<K extends keyof Objects>(
  world: World,
  kind: K,
  fields: Partial<Objects[K]>,
): Objects[K] {
  const { [kind]: base } = blank as Objects;
  const object = { ...base, id: newId(base.id), created: world.clock.seconds(), ...fields };
  return world.store.put(kind, object as unknown as Tables[K]) as Objects[K];
}

/** Makes a page, and returns its address: the token in it is all that opens the page, so it must be impossible to guess. */
export function openPage(world: World, page: PageAccess['page'], target: string): string {
  const id = randomBytes(24).toString('base64url');
  world.store.put('page', { id, page, target, created: world.clock.seconds() });
  return `${world.publicUrl}/${page}/${id}`;
}

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
  if (customer === undefined || 'deleted' in customer) throw missingResource('customer', id, param);
  return customer;
}

export const taxIdsOf = (world: World, customer: string): TaxId[] =>
  world.store.all('tax_id').filter((taxId) => taxId.customer === customer);
