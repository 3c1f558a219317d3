import type Stripe from 'stripe';
import type { MadeCustomer, MadeCustomers } from '../payments-gateway.ts';
import {
  connectStripe,
  dateOf,
  reach,
  type StripeOptions,
  unlessGone,
  unlessMissing,
} from './stripe.connection.ts';

/** Stripe returns no more at a time. */
const pageLength = 100;

export async function openMadeCustomers(options: StripeOptions): Promise<MadeCustomers> {
  const stripe = await connectStripe(options);
  return {
    async *pagesSince(since) {
      const created = { gte: Math.floor(since.getTime() / 1_000) };
      for (let last: string | undefined; ; ) {
        const { data, has_more } = await reach(() =>
          stripe.customers.list({ created, limit: pageLength, ...(last && { starting_after: last }) }),
        );
        yield data.flatMap(madeByUs);
        last = data.at(-1)?.id;
        if (!has_more || last === undefined) return;
      }
    },
    find: async (id) => {
      const found = await unlessMissing(() => stripe.customers.retrieve(id));
      return found && !found.deleted ? madeByUs(found) : [];
    },
    isPaying: async (customer) => {
      const { data } = await reach(() => stripe.subscriptions.list({ customer, limit: pageLength }));
      return data.some(({ items }) => items.data.some(({ price }) => (price.unit_amount ?? 0) > 0));
    },
    delete: (id) => unlessGone(() => stripe.customers.del(id)),
  };
}

/** Other products may share the Stripe account, but only we mark customers with one of our users. */
const madeByUs = ({ id, created, metadata: { assay_user: madeFor } }: Stripe.Customer): MadeCustomer[] =>
  madeFor === undefined ? [] : [{ id, createdAt: dateOf(created), madeFor }];
