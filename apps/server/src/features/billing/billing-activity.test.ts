import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPaidShop, type PaidShop } from './payments/testing/paid-shop.ts';

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
