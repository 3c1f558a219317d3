import { describe, expect, it } from 'vitest';
import { openShop, seedCatalog, seedCustomer } from '../testing/shop.ts';

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call was accepted'),
    (error) => error,
  );

describe('the API refuses as the real one does', () => {
  it('401 without the right key, naming it only in part', async () => {
    const shop = await openShop();
    const wrong = shop.connect({}, 'sk_test_somebody_else');
    const error = await refusalOf(wrong.customers.list());
    expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
    expect(error.message).toBe('Invalid API Key provided: sk_test_****');
    const anonymous = await fetch(`${shop.payments.origin}/v1/customers`);
    expect(anonymous.status).toBe(401);
  });

  it('404 for an object that does not exist, and for a call that the stand-in does not have, naming it', async () => {
    const { stripe } = await openShop();
    const error = await refusalOf(stripe.subscriptions.retrieve('sub_nobody'));
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'id' });
    expect(error.message).toBe("No such subscription: 'sub_nobody'");
    const unknown = await refusalOf(stripe.rawRequest('GET', '/v1/quotes'));
    expect(unknown.message).toContain('Unrecognized request URL (GET: /v1/quotes)');
  });

  it('400 for a parameter that is missing, unknown or of the wrong type, naming it', async () => {
    const { stripe } = await openShop();
    await expect(stripe.products.create({ name: '' })).rejects.toMatchObject({
      code: 'parameter_missing',
      param: 'name',
    });
    const misspelt = stripe.rawRequest('POST', '/v1/products', { name: 'x', descripton: 'y' });
    await expect(misspelt).rejects.toMatchObject({ code: 'parameter_unknown', param: 'descripton' });
    const { id } = await stripe.products.create({ name: 'x' });
    const recurring = { interval: 'month', usage_type: 'metered' };
    const nested = stripe.rawRequest('POST', '/v1/prices', { product: id, currency: 'usd', recurring });
    await expect(nested).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'recurring[usage_type]',
    });
    await expect(stripe.rawRequest('GET', '/v1/customers?limit=ten')).rejects.toMatchObject({
      param: 'limit',
    });
    // A refused call leaves nothing behind.
    expect((await stripe.prices.list()).data).toEqual([]);
  });

  it('402 for a declined card, with the reason', async () => {
    const shop = await openShop();
    const customer = await seedCustomer(shop);
    const attaching = shop.stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer });
    await expect(attaching).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
  });

  it('500 and cut connections on demand', async () => {
    const { stripe, payments } = await openShop();
    payments.failNext({ path: /^\/v1\/cust/, with: 'server_error', times: 2 });
    await expect(stripe.customers.list()).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 });
    await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeAPIError' });
    // The SDK itself tries once more when a connection is cut, so two cuts make one failure.
    payments.failNext({ with: 'dropped_connection', times: 2 });
    await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect((await stripe.customers.list()).data).toEqual([]);
  });
});

describe('idempotency keys', () => {
  it('give the same answer to the same call, and do the work once', async () => {
    const { stripe } = await openShop();
    const create = () =>
      stripe.customers.create({ email: 'jane@exists.test' }, { idempotencyKey: 'sign-up-7' });
    const first = await create();
    const again = await create();
    expect(again).toEqual(first);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  it('refuse another call under the same key', async () => {
    const { stripe } = await openShop();
    await stripe.customers.create({ email: 'jane@exists.test' }, { idempotencyKey: 'key' });
    const other = stripe.customers.create({ email: 'john@exists.test' }, { idempotencyKey: 'key' });
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });

  it('repeat a declined payment instead of trying it again', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop, 'pm_card_chargeCustomerFail');
    const subscribe = () =>
      shop.stripe.subscriptions.create(
        { customer, items: [{ price: catalog['2K'] }] },
        { idempotencyKey: 'subscribe' },
      );
    await expect(subscribe()).rejects.toMatchObject({ code: 'card_declined' });
    const card = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer });
    await shop.stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
    await expect(subscribe()).rejects.toMatchObject({ code: 'card_declined' });
  });

  it('let a call that was wrong be corrected', async () => {
    const { stripe } = await openShop();
    const options = { idempotencyKey: 'product' };
    await expect(stripe.products.create({ name: '' }, options)).rejects.toMatchObject({
      code: 'parameter_missing',
    });
    await expect(stripe.products.create({ name: 'Free' }, options)).resolves.toMatchObject({ name: 'Free' });
  });

  it('keep a retry after a lost answer from doing the work twice', async () => {
    const { stripe, payments } = await openShop();
    payments.failNext({ method: 'POST', path: '/v1/customers', with: 'lost_answer' });
    const customer = await stripe.customers.create({ email: 'jane@exists.test' });
    const all = await stripe.customers.list();
    expect(all.data.map(({ id }) => id)).toEqual([customer.id]);
  });

  it('are forgotten after a day', async () => {
    const { stripe, payments } = await openShop();
    const create = () => stripe.customers.create({}, { idempotencyKey: 'daily' });
    const first = await create();
    await payments.clock.advanceTo(new Date('2026-03-06T11:00:00Z'));
    expect((await create()).id).not.toBe(first.id);
  });
});
