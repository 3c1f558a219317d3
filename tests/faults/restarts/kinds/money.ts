import { randomUUID } from 'node:crypto';
import { collectFaults } from '../../checks.ts';
import { addJob } from '../../jobs.ts';
import type { Product } from '../../product.ts';
import { turnCount } from '../plan.ts';
import type { Kind } from '../stage.ts';

const packCredits = 2_000;
const card = { number: '4242424242424242', expiry: '12 / 39', cvc: '123', name: 'Ada' };

/** Credit packs, from the order to their credits. The customer pays at the provider, whatever happens to the product. */
export const purchases: Kind = {
  name: 'purchases',
  begin: async ({ product, deadline, signUp, insist }) => {
    const { id: ownerId, client } = await signUp();
    const { buyPack, confirmPack, getWallet } = client.billing;
    let paidCount = 0;
    return {
      work: async () => {
        // The call takes no key: one that is repeated opens another checkout, which nobody pays.
        const { checkout_url } = await insist(() => buyPack({ body: { pack: '2K' } }));
        const answer = await fetch(checkout_url, {
          method: 'POST',
          body: new URLSearchParams(card),
          redirect: 'manual',
        });
        paidCount += 1;
        const [checkout_id = ''] = /cs_\w+/.exec(answer.headers.get('location') ?? '') ?? [];
        await deadline.until('a pack is granted', async () => {
          return (await confirmPack({ params: { checkout_id } })).is_paid;
        });
      },
      check: async () => {
        const { faults, demand } = collectFaults();
        demand('balance', (await getWallet()).balance, 1_000 + paidCount * packCredits);
        demand('packs', await countPacks(product, ownerId, 'CHECKOUT'), paidCount);
        return faults;
      },
    };
  },
};

/** More than the cap allows to buy, so that each falling balance asks for a pack until the cap is reached. */
const below = 1_000_000;
const packCents = 700;

/** Automatic top-ups: the balance falls while processes end, and the card is charged once each time. */
export const topUps: Kind = {
  name: 'automatic top-ups',
  begin: async ({ product, outside, deadline, signUp, insist }) => {
    const { id: ownerId, client } = await signUp();
    const { billing, validations } = client;
    await billing.openCustomerPortal();
    const [account] = await product.ask<{ customer_reference: string }>(
      'select customer_reference from subscriptions where owner_id = $1',
      [ownerId],
    );
    const customer = account?.customer_reference ?? '';
    const { id: cardId } = await outside.callPayments<{ id: string }>('payment_methods/pm_card_visa/attach', {
      customer,
    });
    await outside.callPayments(`customers/${customer}`, {
      'invoice_settings[default_payment_method]': cardId,
    });
    const monthly_cap_in_cents = turnCount * packCents;
    await billing.setAutomaticTopUp({ body: { is_on: true, below, pack: '2K', monthly_cap_in_cents } });
    return {
      work: async (turn) => {
        const body = { email_address: `staff.${turn}@prompt-4.test` };
        const idempotencyKey = randomUUID();
        await insist(() => validations.startSingle({ body, idempotencyKey }));
      },
      check: async () => {
        const { faults, demand } = collectFaults();
        await deadline.until('the cap of top-ups is reached', async () => {
          // A request is lost while no worker runs; a schedule asks again each minute.
          await addJob(product, 'billing.top-up-balances');
          return (await countPacks(product, ownerId, 'AUTOMATIC_TOP_UP')) === turnCount;
        });
        demand('packs', await countPacks(product, ownerId, 'AUTOMATIC_TOP_UP'), turnCount);
        const orders = await product.ask<{ status: string }>(
          'select status from top_up_orders where owner_id = $1',
          [ownerId],
        );
        demand(
          'orders',
          orders.map(({ status }) => status),
          Array.from({ length: turnCount }, () => 'paid'),
        );
        const { data } = await outside.callPayments<{ data: { paid: boolean }[] }>(
          `charges?customer=${customer}`,
        );
        demand('charges', data.filter(({ paid }) => paid).length, turnCount);
        return faults;
      },
    };
  },
};

async function countPacks(product: Product, ownerId: string, source: string): Promise<number | undefined> {
  const [row] = await product.ask<{ count: number }>(
    `select count(*)::int as count from ledger_entries where owner_id = $1 and category = 'PACK' and source = $2`,
    [ownerId, source],
  );
  return row?.count;
}
