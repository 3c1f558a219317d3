import { describe, expect, it } from 'vitest';
import { isoDay, itemOf, openShop, seedCatalog, seedCustomer, seedPortal } from '../testing/shop.ts';
import { Visitor } from '../testing/visitor.ts';

const goodCard = { number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123', name: 'Jane Doe' };

async function enterPortal(options: { plan?: 'FREE' | '2K' | '10K'; card?: string; flow?: object } = {}) {
  const shop = await openShop();
  const catalog = await seedCatalog(shop);
  const customer = await seedCustomer(shop, options.card);
  const { id } = await shop.stripe.subscriptions.create({
    customer,
    items: [{ price: catalog[options.plan ?? 'FREE'] }],
  });
  const configuration = await seedPortal(shop, catalog);
  const open = async (flow_data?: object) => {
    const session = await shop.stripe.billingPortal.sessions.create({
      customer,
      configuration,
      return_url: 'http://app.test/redirect?to=/billing',
      ...(flow_data ? { flow_data: flow_data as { type: 'subscription_update_confirm' } } : {}),
    });
    const visitor = new Visitor(shop.payments.origin);
    await visitor.open(session.url);
    return visitor;
  };
  const subscription = () => shop.stripe.subscriptions.retrieve(id);
  return { shop, catalog, customer, configuration, subscription, open, visitor: await open() };
}

describe('the portal', () => {
  it('shows the plan, all tiers and what each costs, and leads back to the product', async () => {
    const { visitor } = await enterPortal();
    expect(visitor.text()).toContain('no card is charged and no money moves');
    expect(visitor.text()).toContain('FREE plan $0.00 per month Renews on Apr 5, 2026.');
    expect(visitor.html).toContain('href="http://app.test/redirect?to=/billing"');
    await visitor.click('Update plan');
    for (const price of ['$0.00', '$7.00', '$30.00', '$125.00', '$500.00', '$750.00', '$1,000.00']) {
      expect(visitor.text()).toContain(`${price} per month`);
    }
    expect(visitor.text()).toContain('FREE plan, your plan');
  });

  it('upgrades at once, for the full price, into a new month', async () => {
    const { shop, open, subscription, catalog } = await enterPortal({ plan: '2K', card: 'pm_card_visa' });
    await shop.payments.clock.advanceTo(new Date('2026-03-20T10:00:00Z'));
    const visitor = await open();
    await visitor.click('Update plan');
    await visitor.open(`${visitor.url}/${catalog['10K']}`);
    expect(visitor.text()).toContain('Begins at once Due today $30.00');
    await visitor.press('Pay $30.00 and switch');
    expect(isoDay(itemOf(await subscription()).current_period_end)).toBe('2026-04-20');
  });

  it('changes nothing when the card is declined, and says so', async () => {
    const { shop, visitor, subscription, catalog } = await enterPortal({
      card: 'pm_card_chargeCustomerFail',
    });
    const before = await subscription();
    await visitor.click('Update plan');
    await visitor.open(`${visitor.url}/${catalog['10K']}`);
    await visitor.press('Pay $30.00 and switch');
    expect(visitor.status).toBe(402);
    expect(visitor.text()).toContain('Your card was declined. Nothing was changed and nothing was charged.');
    expect(await subscription()).toEqual(before);
    expect((await shop.stripe.invoices.list()).data).toHaveLength(1);
  });

  it('schedules a downgrade for the end of the period, which can be undone until then', async () => {
    const { shop, visitor, subscription, catalog } = await enterPortal({ plan: '10K', card: 'pm_card_visa' });
    const schedule = async () => {
      await visitor.click('Update plan');
      await visitor.open(`${visitor.url}/${catalog['2K']}`);
      expect(visitor.text()).toContain('Due today $0.00');
      await visitor.press('Schedule the change');
      expect(visitor.text()).toContain('Changes to 2K plan ($7.00 per month) on Apr 5, 2026.');
    };
    await schedule();
    expect(itemOf(await subscription()).price.id).toBe(catalog['10K']);
    expect(visitor.hasButton('Update plan')).toBe(false);
    expect(visitor.hasButton('Cancel plan')).toBe(false);
    const overview = visitor.url;
    await visitor.open(overview.replace('/home', `/cancel/${(await subscription()).id}`));
    await visitor.press('Cancel plan');
    expect(visitor.text()).toContain('This subscription cannot be cancelled here.');
    await visitor.open(overview);
    await visitor.press("Don't change plan");
    expect((await subscription()).schedule).toBeNull();

    await schedule();
    await shop.payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    expect(itemOf(await subscription()).price.id).toBe(catalog['2K']);
    expect(shop.inbox.ofType('invoice.paid').at(-1)?.data.object).toMatchObject({ amount_paid: 700 });
  });

  it('can change the plan again after a downgrade has happened', async () => {
    const { shop, visitor, open, subscription, catalog } = await enterPortal({
      plan: '10K',
      card: 'pm_card_visa',
    });
    await visitor.click('Update plan');
    await visitor.open(`${visitor.url}/${catalog['2K']}`);
    await visitor.press('Schedule the change');
    await shop.payments.clock.advanceTo(new Date('2026-04-10T12:00:00Z'));
    const later = await open();
    await later.click('Update plan');
    await later.open(`${later.url}/${catalog['50K']}`);
    await later.press('Pay $125.00 and switch');
    expect(await subscription()).toMatchObject({ schedule: null });
    expect(itemOf(await subscription()).price.id).toBe(catalog['50K']);
  });

  it('cancels at the end of the period by a date, as flexible billing does, and can be undone', async () => {
    const { shop, visitor, subscription } = await enterPortal({ plan: '10K', card: 'pm_card_visa' });
    const before = await subscription();
    const cancel = async () => {
      await visitor.click('Cancel plan');
      expect(visitor.text()).toContain('until Apr 5, 2026 and is not renewed');
      await visitor.press('Cancel plan');
    };
    await cancel();
    expect(await subscription()).toMatchObject({
      cancel_at: itemOf(before).current_period_end,
      cancel_at_period_end: false,
      status: 'active',
    });
    expect(visitor.hasButton('Update plan')).toBe(false);
    await visitor.press("Don't cancel plan");
    expect(await subscription()).toMatchObject({ cancel_at: null });

    await cancel();
    await shop.payments.clock.advanceTo(new Date('2026-04-05T10:00:00Z'));
    expect(shop.inbox.ofType('customer.subscription.deleted')).toHaveLength(1);
  });

  it('pays with the newest card, or with another one that is made the default', async () => {
    const { visitor, customer, shop } = await enterPortal({ card: 'pm_card_visa' });
    await visitor.click('Add payment method');
    await visitor.press('Add card', { ...goodCard, number: '4000000000000341' });
    expect(visitor.text()).toContain('Visa ending in 0341, default');
    await visitor.press('Make default: Visa ending in 4242');
    expect(visitor.text()).toContain('Visa ending in 4242, default');
    expect((await shop.stripe.customers.listPaymentMethods(customer)).data).toHaveLength(2);
  });

  it('refuses a card without a date, and never sends its number back', async () => {
    const { visitor } = await enterPortal();
    await visitor.click('Add payment method');
    await visitor.press('Add card', { ...goodCard, expiry: 'soon' });
    expect(visitor.status).toBe(400);
    expect(visitor.text()).toContain('Write the expiration date as MM / YY.');
    expect(visitor.html).not.toContain('value="4242');
  });

  it('asks for the open invoice first when a payment has failed', async () => {
    const { shop, open, customer } = await enterPortal({ plan: '10K', card: 'pm_card_visa' });
    const card = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await shop.stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
    await shop.payments.clock.advanceTo(new Date('2026-04-06T10:00:00Z'));
    const visitor = await open();
    expect(visitor.text()).toContain('Your last payment did not go through. Pay $30.00 now');
    expect(visitor.hasButton('Update plan')).toBe(false);
    await visitor.click('Pay $30.00 now');
    await visitor.press('Pay $30.00', goodCard);
    expect(visitor.text()).toContain('Amount due $0.00');
    expect((await open()).text()).toContain('Renews on May 5, 2026.');
  });
});

describe('what the real portal cannot do, this one does not', () => {
  it('no new subscription, no price that is not offered, no subscription of another customer', async () => {
    const { shop, visitor, subscription, catalog } = await enterPortal({ card: 'pm_card_visa' });
    const product = await shop.stripe.products.create({ name: 'Secret' });
    const secret = await shop.stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month' },
    });
    const stranger = await seedCustomer(shop, 'pm_card_visa');
    const other = await shop.stripe.subscriptions.create({
      customer: stranger,
      items: [{ price: catalog['2K'] }],
    });
    const root = visitor.url.replace('/home', '');
    await visitor.open(`${root}/plans/${(await subscription()).id}/${secret.id}`);
    expect(visitor.status).toBe(404);
    await visitor.open(`${root}/plans/${other.id}/${catalog['10K']}`);
    expect(visitor.status).toBe(404);
  });

  it('no other configuration than the one that the product makes', async () => {
    const { shop, configuration } = await enterPortal();
    const disabling = shop.stripe.billingPortal.configurations.update(configuration, {
      features: { subscription_cancel: { enabled: false } },
    });
    await expect(disabling).rejects.toMatchObject({ statusCode: 400 });
  });

  it('no session without a configuration', async () => {
    const { shop, customer } = await enterPortal();
    await expect(shop.stripe.billingPortal.sessions.create({ customer })).rejects.toMatchObject({
      param: 'configuration',
    });
  });

  it('no lasting link: it dies after an hour', async () => {
    const { shop, visitor } = await enterPortal();
    await shop.payments.clock.advanceTo(new Date('2026-03-05T10:59:00Z'));
    await visitor.open(visitor.url);
    expect(visitor.status).toBe(200);
    await shop.payments.clock.advanceTo(new Date('2026-03-05T11:01:00Z'));
    await visitor.open(visitor.url);
    expect(visitor.status).toBe(404);
    expect(visitor.text()).toContain('This link has expired');
  });
});

describe('deep links', () => {
  it('confirm one change and go back to the product', async () => {
    const { shop, open, subscription, catalog } = await enterPortal({ card: 'pm_card_visa' });
    const current = await subscription();
    const visitor = await open({
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: current.id,
        items: [{ id: itemOf(current).id, price: catalog['2K'], quantity: 1 }],
      },
      after_completion: {
        type: 'redirect',
        redirect: { return_url: 'http://app.test/redirect?to=/billing' },
      },
    });
    expect(visitor.text()).toContain('Confirm your plan');
    // Browsers apply form-action to redirects, so the page must allow where its form ends.
    expect(visitor.headers.get('content-security-policy')).toContain("form-action 'self' http://app.test");
    await visitor.press('Pay $7.00 and switch');
    expect(visitor.url).toBe('http://app.test/redirect?to=/billing');
    expect(itemOf(await subscription()).price.id).toBe(catalog['2K']);
    await shop.payments.webhooks.settled();
  });

  it('are refused for what the portal does not allow', async () => {
    const { open, subscription } = await enterPortal({ card: 'pm_card_visa' });
    const current = await subscription();
    const unknownPrice = open({
      type: 'subscription_update_confirm',
      subscription_update_confirm: {
        subscription: current.id,
        items: [{ id: itemOf(current).id, price: 'price_unknown', quantity: 1 }],
      },
    });
    await expect(unknownPrice).rejects.toMatchObject({ statusCode: 400 });
  });
});
