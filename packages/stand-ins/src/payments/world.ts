import type { Clock } from './clock.ts';
import { missingResource } from './errors.ts';
import type { Store } from './store/store.ts';
import type { Kind, Tables } from './store/tables.ts';
import type { Customer } from './wire.ts';

/** What happens to an invoice whose payment fails. Real accounts set this in the dashboard; no call does. */
export interface RetryPolicy {
  /** Days from each failed attempt to the next. */
  afterDays: readonly number[];
  /** What becomes of the subscription when the last attempt has failed. */
  finally: 'cancel' | 'unpaid' | 'past_due';
}

/** What every call, page and renewal works on. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  /** The origin that people's browsers reach. */
  readonly publicUrl: string;
  readonly businessName: string;
  readonly retryPolicy: RetryPolicy;
  /** The call being answered, which the events it causes name; null in renewals and on pages. */
  request: { id: string; idempotencyKey: string | null } | null;
}

type StripeKind = Exclude<Kind, 'customer'>;

export function getObject<K extends StripeKind>(world: World, kind: K, id: string, param = 'id'): Tables[K] {
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

export const isDeleted = (
  customer: Tables['customer'],
): customer is Extract<Tables['customer'], { deleted: true }> => customer.deleted === true;
