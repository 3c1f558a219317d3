import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db } from '../../../platform/database/database.ts';
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
      const accountId = await findAccount(db, madeFor);
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
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${made.map(({ id }) => id)}::text[]) as made (id)
    where not exists (select from subscriptions where customer_reference = made.id)
      and not exists (select from former_customers where customer_reference = made.id)
      and not exists (select from departed_customers where customer_reference = made.id)`.execute(db);
  const unknown = new Set(rows.map(({ id }) => id));
  return made.filter(({ id }) => unknown.has(id));
}

async function findAccount(db: Db, madeFor: string): Promise<string | null> {
  const { data: ownerId } = z.safeParse(z.uuid(), madeFor);
  const { rows } = await sql<{ id: string }>`select id from accounts where id = ${ownerId ?? null}`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}
