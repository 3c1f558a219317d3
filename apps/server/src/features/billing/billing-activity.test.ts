import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPaidShop, type PaidShop, type Subscriber } from './payments/testing/paid-shop.ts';
import { topUpBalances } from './top-up/top-up.ts';

let shop: PaidShop;
beforeAll(async () => {
  shop = await openPaidShop({ now: new Date('2026-03-05T10:00:00Z') });
});
afterAll(() => shop.close());

it('the activity log says who opened the page for plans and who undid a change, and from where', async () => {
  const jane = await shop.signUp({ card: 'pm_card_visa' });
  await jane.upgradeTo('50K');
  const call = async (method: 'GET' | 'DELETE', path: string) =>
    shop.api.call(method, path, { token: await jane.token(), headers: { 'user-agent': 'Firefox/140' } });
  const plans = '/billing/me/subscriptions';

  expect((await call('GET', `${plans}/customer_portal?plan=10K`)).statusCode).toBe(200);
  await jane.downgradeTo('10K');
  expect((await call('DELETE', `${plans}/pending_change`)).statusCode).toBe(204);
  // Nothing is pending any more, so there is nothing to undo.
  expect((await call('DELETE', `${plans}/pending_change`)).statusCode).toBe(204);
  await call('GET', `${plans}/customer_portal`);
  await shop.payments.webhooks.settled();

  const { results } = (await call('GET', '/users/me/activity?area=plan')).json();
  const where = { address: '127.0.0.1', user_agent: 'Firefox/140' };
  expect(results).toMatchObject([
    { kind: 'plan.portal_opened', about: null, by: 'customer', ...where },
    { kind: 'plan.kept', about: '50K', by: 'customer', ...where },
    { kind: 'plan.portal_opened', about: 'for 10K', by: 'customer', ...where },
    { kind: 'plan.changed', about: 'FREE to 50K', by: 'assay', address: null },
  ]);
});

const { signal } = new AbortController();
const entriesOf = async (jane: Subscriber, area: string) => {
  const path = `/users/me/activity?area=${area}&page_size=50`;
  const { results } = (await shop.api.call('GET', path, { token: await jane.token() })).json();
  return results
    .map(({ kind, about, by }: { kind: string; about: string; by: string }) => [kind, about, by])
    .reverse();
};
const put = async (jane: Subscriber, path: string, body: object) =>
  expect((await shop.api.call('PUT', path, { token: await jane.token(), body })).statusCode).toBe(200);

it('the activity log says what was bought, and each change and stop of the automatic top-up', async () => {
  const jane = await shop.signUp({ card: 'pm_card_visa' });
  const path = '/billing/me/automatic_top_up';
  const wish = { is_on: true, below: 500, pack: '2K', monthly_cap_in_cents: 200_000 };
  await put(jane, path, wish);
  // Nothing changes.
  await put(jane, path, wish);
  await put(jane, path, { ...wish, pack: '10K' });
  await put(jane, path, { ...wish, is_on: false });
  await put(jane, path, { ...wish, is_on: false, pack: '10K' });
  await put(jane, path, wish);
  await jane.spend(600);
  await topUpBalances(shop.parts, signal);
  await shop.payments.webhooks.settled();
  await (await jane.orderPack('10K')).pay();
  await shop.payments.webhooks.settled();
  await jane.useCard('pm_card_chargeCustomerFail');
  await jane.spend(12_000);
  await topUpBalances(shop.parts, signal);
  await topUpBalances(shop.parts, signal);

  const chosen = 'pack below 500 credits, up to $2,000.00 a month';
  expect(await entriesOf(jane, 'credits')).toEqual([
    ['credits.top_up_on', `2K ${chosen}`, 'customer'],
    ['credits.top_up_changed', `10K ${chosen}`, 'customer'],
    ['credits.top_up_off', `2K ${chosen}`, 'customer'],
    ['credits.top_up_changed', `10K ${chosen}, still off`, 'customer'],
    ['credits.top_up_on', `2K ${chosen}`, 'customer'],
    ['credits.bought', '2K pack, $7.00, automatic top-up', 'assay'],
    ['credits.checkout_opened', '10K pack', 'customer'],
    ['credits.bought', '10K pack, $30.00', 'assay'],
    ['credits.top_up_stopped', 'The card was declined', 'assay'],
  ]);
});

it('the activity log says that a dispute stopped the automatic top-up', async () => {
  const jane = await shop.signUp({ card: 'pm_card_createDispute' });
  await put(jane, '/billing/me/automatic_top_up', {
    is_on: true,
    below: 500,
    pack: '2K',
    monthly_cap_in_cents: 2_000,
  });
  await jane.spend(600);
  await topUpBalances(shop.parts, signal);
  await shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 3_600_000));
  await shop.payments.webhooks.settled();

  expect((await entriesOf(jane, 'credits')).slice(1)).toEqual([
    ['credits.bought', '2K pack, $7.00, automatic top-up', 'assay'],
    ['credits.top_up_stopped', 'A payment is disputed', 'assay'],
  ]);
});

it('the activity log says which thresholds were chosen', async () => {
  const jane = await shop.signUp();
  for (const thresholds of [[100, 5_000], [5_000, 100], []]) {
    await put(jane, '/billing/me/alerts', { thresholds });
  }

  expect(await entriesOf(jane, 'setting')).toEqual([
    ['setting.alerts', 'Below 5,000 and 100 credits', 'customer'],
    ['setting.alerts', 'None', 'customer'],
  ]);
});
