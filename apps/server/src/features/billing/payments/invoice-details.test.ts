import type { InvoiceDetails } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

let shop: PaidShop;
beforeAll(async () => {
  shop = await openPaidShop();
});
afterAll(() => shop.close());

const path = '/billing/me/invoice_details';
const details: InvoiceDetails = {
  company: 'Assay Office Ltd',
  line1: 'Gutter Lane 1',
  line2: '',
  postal_code: '10115',
  city: 'Berlin',
  state: '',
  country: 'DE',
  tax_number: 'DE123456789',
};
const put = async (jane: Subscriber, changes: object = {}) =>
  shop.api.call('PUT', path, { token: await jane.token(), body: { ...details, ...changes } });
const get = async (jane: Subscriber) =>
  (await shop.api.call('GET', path, { token: await jane.token() })).json();

describe('the details on invoices', () => {
  it('are empty at first, are kept as set, and are on invoices that are written afterwards', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    expect(Object.values(await get(jane)).join('')).toBe('');

    const saved = await put(jane, { tax_number: 'de 123 456 789' });
    expect([saved.statusCode, saved.json()]).toEqual([200, details]);
    expect(await get(jane)).toEqual(details);

    await jane.upgradeTo('2K');
    const [invoice] = (
      await shop.stripe.invoices.list({ customer: jane.customerId, status: 'paid', limit: 1 })
    ).data;
    expect(invoice).toMatchObject({
      customer_name: 'Assay Office Ltd',
      customer_address: { line1: 'Gutter Lane 1', city: 'Berlin', country: 'DE' },
      customer_tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }],
    });
    const page = await (await fetch(invoice?.hosted_invoice_url ?? '')).text();
    expect(page).toContain('Assay Office Ltd');
    expect(page).toContain('Tax number DE123456789');
  });

  it('another number replaces the first, and an empty one removes it with the address', async () => {
    const jane = await shop.signUp();
    await put(jane);
    await put(jane, { country: 'GB', tax_number: '123 4567 89' });
    const numbers = async () =>
      (await shop.stripe.customers.listTaxIds(jane.customerId)).data.map(({ type, value }) => [type, value]);
    expect(await numbers()).toEqual([['gb_vat', 'GB123456789']]);

    const nothing = { line1: '', postal_code: '', city: '', country: '', tax_number: '' };
    expect((await put(jane, nothing)).statusCode).toBe(200);
    expect(await numbers()).toEqual([]);
    expect(await get(jane)).toEqual({ ...details, ...nothing });
  });

  it.each([
    ['a number that is not one of its country', { tax_number: 'DE12' }],
    ['a number of a country whose numbers invoices cannot carry', { country: 'AQ', tax_number: '1' }],
  ])('400 for %s, and nothing changes', async (_, changes) => {
    const jane = await shop.signUp();
    await put(jane);
    const answer = await put(jane, { company: 'Another', ...changes });
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'tax_number_invalid']);
    expect(await get(jane)).toEqual(details);
  });

  it('400 for a country that is no code, and 401 when signed out', async () => {
    const jane = await shop.signUp();
    expect((await put(jane, { country: 'Germany' })).statusCode).toBe(400);
    expect((await shop.api.call('GET', path)).statusCode).toBe(401);
  });

  it('the portal takes a card at once, and leads back to the automatic top-up', async () => {
    const jane = await shop.signUp();
    const { portal_url } = (
      await shop.api.call('GET', '/billing/me/subscriptions/customer_portal?page=card', {
        token: await jane.token(),
      })
    ).json();
    const form = await fetch(portal_url);
    expect(await form.text()).toContain('Add a payment method');
    const body = new URLSearchParams({
      number: '4242424242424242',
      expiry: '12 / 39',
      cvc: '123',
      name: 'Jane Doe',
    });
    const saved = await fetch(form.url, { method: 'POST', body, redirect: 'manual' });
    expect(saved.headers.get('location')).toBe(`${shop.api.config.publicUrl}/redirect?to=/billing/top-up`);
    expect(await shop.parts.gateway.findCard(jane.customerId)).toMatchObject({ last4: '4242' });
  });
});
