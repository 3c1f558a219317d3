import { sql } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Db } from '../../../platform/database/database.ts';
import {
  connectStripe,
  dateOf,
  reach,
  type StripeOptions,
  unlessGone,
  unlessMissing,
} from './stripe.connection.ts';

/** A customer at Stripe that an installation made, and that this one does not know, as after a restore. */
export interface StrayCustomer {
  readonly id: string;
  readonly createdAt: Date | null;
  /** The account that it was made for, if that exists here. */
  readonly accountId: string | null;
  /** Whether it has a subscription that costs something and has not ended. */
  readonly isPaying: boolean;
}

/** Stripe returns no more at a time. */
const pageLength = 100;

/** Customers at Stripe since a moment that this installation does not know, newest first. */
export async function* findStrayCustomers(
  db: Db,
  options: StripeOptions,
  since: Date,
): AsyncGenerator<StrayCustomer> {
  const stripe = await connectStripe(options);
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  for (let last: string | undefined; ; ) {
    const { data, has_more } = await reach(() =>
      stripe.customers.list({ created, limit: pageLength, ...(last && { starting_after: last }) }),
    );
    for (const customer of await unknownOf(db, data)) yield describe(db, stripe, customer);
    last = data.at(-1)?.id;
    if (!has_more || last === undefined) return;
  }
}

/** Deletes a customer at Stripe, which ends their subscriptions. Returns false if it is not a stray one. */
export async function deleteStrayCustomer(db: Db, options: StripeOptions, id: string): Promise<boolean> {
  const stripe = await connectStripe(options);
  const found = await unlessMissing(() => stripe.customers.retrieve(id));
  if (!found || found.deleted || (await unknownOf(db, [found])).length === 0) return false;
  await unlessGone(() => stripe.customers.del(id));
  return true;
}

/** Other products may share the Stripe account, but only we mark customers with one of our users. */
async function unknownOf(db: Db, customers: readonly Stripe.Customer[]): Promise<Stripe.Customer[]> {
  const ours = customers.filter(({ metadata }) => metadata.assay_user !== undefined);
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ours.map(({ id }) => id)}::text[]) as stripe (id)
    where not exists (select from subscriptions where customer_reference = stripe.id)
      and not exists (select from former_customers where customer_reference = stripe.id)
      and not exists (select from departed_customers where customer_reference = stripe.id)`.execute(db);
  const unknown = new Set(rows.map(({ id }) => id));
  return ours.filter(({ id }) => unknown.has(id));
}

async function describe(db: Db, stripe: Stripe, customer: Stripe.Customer): Promise<StrayCustomer> {
  const { data: ownerId } = z.safeParse(z.uuid(), customer.metadata.assay_user);
  const { rows } = await sql<{ id: string }>`select id from users where id = ${ownerId ?? null}`.execute(db);
  const { data: subscriptions } = await reach(() =>
    stripe.subscriptions.list({ customer: customer.id, limit: pageLength }),
  );
  return {
    id: customer.id,
    createdAt: dateOf(customer.created),
    accountId: rows[0]?.id ?? null,
    isPaying: subscriptions.some(({ items }) => items.data.some(({ price }) => (price.unit_amount ?? 0) > 0)),
  };
}
