import type { Db } from '../../../platform/database/database.ts';
import { findAccountOf, findKnownCustomers } from './payments.store.ts';
import type { MadeCustomer } from './payments-gateway.ts';
import { openMadeCustomers } from './provider.ts';

/** A customer at the payment provider that an installation made, and that this one does not know, as after a restore. */
export interface StrayCustomer extends Omit<MadeCustomer, 'madeFor'> {
  /** The account that it was made for, if that exists here. */
  readonly accountId: string | null;
  readonly isPaying: boolean;
}

type ProviderOptions = Parameters<typeof openMadeCustomers>[0];

/** Customers since a moment that this installation does not know, newest first. */
export async function* findStrayCustomers(
  db: Db,
  options: ProviderOptions,
  since: Date,
): AsyncGenerator<StrayCustomer> {
  const made = await openMadeCustomers(options);
  for await (const page of made.pagesSince(since)) {
    for (const { id, createdAt, madeFor } of await unknownOf(db, page)) {
      const accountId = await findAccountOf(db, madeFor);
      yield { id, createdAt, accountId, isPaying: await made.isPaying(id) };
    }
  }
}

/** Deletes a customer at the provider, which ends their subscriptions. Returns false if it is not a stray one. */
export async function deleteStrayCustomer(db: Db, options: ProviderOptions, id: string): Promise<boolean> {
  const made = await openMadeCustomers(options);
  if ((await unknownOf(db, await made.find(id))).length === 0) return false;
  await made.delete(id);
  return true;
}

async function unknownOf(db: Db, made: readonly MadeCustomer[]): Promise<MadeCustomer[]> {
  const known = await findKnownCustomers(
    db,
    made.map(({ id }) => id),
  );
  return made.filter(({ id }) => !known.has(id));
}
