import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer, startList, untilComplete } from '../support/customer.ts';
import { cutOffAtAnyWidth } from '../support/visitor.ts';

let page: Page;

const credits = () => page.getByRole('region', { name: 'Your credits' });
const factOf = (name: string) =>
  credits().locator(`div:has(> dt:text-is("${name}")) > dd`).first().innerText();
const topUp = () => page.getByRole('region', { name: 'Automatic top-up' });
const banner = () => page.getByRole('region', { name: 'Low balance', exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the balance on the billing page', () => {
  it('exact balance, spending, list names; an alert shows a notice on every page until it is closed; an automatic top-up needs a card, buys one pack by itself, and its payment is listed', async () => {
    const { api, open } = await newCustomer();
    const list = await startList(api, 'spring.csv', ['email', 'jane@exists.test', 'nobody@exists.test']);
    await untilComplete(api, list.id);
    page = await open('/billing');
    await expect.poll(() => factOf('Balance')).toBe('998');
    expect([await factOf('On hold'), await factOf('Payment method')]).toEqual(['0', 'None']);
    expect(await factOf('Lasts until')).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
    await credits().getByRole('slider', { name: 'Credits spent in the last 30 days, by day' }).waitFor();
    await page.getByRole('link', { name: 'spring', exact: true }).waitFor();
    await page.getByText('Nothing has been paid yet.').waitFor();

    const thresholds = page.getByLabel('Tell me when my balance falls below');
    await thresholds.fill('many');
    await button('Save alerts').click();
    await page.getByText('Enter up to 5 whole numbers above 0').waitFor();
    await thresholds.fill('1,500; 10');
    await button('Save alerts').click();
    await banner().getByText('Your balance is below 1,500 credits.').waitFor();
    await expectAccessibleInBothSchemes(page);
    expect(await cutOffAtAnyWidth(page)).toEqual([]);
    await topUp().getByLabel('Buy a credit pack by itself when my balance is low').check();
    await topUp().getByLabel('When it falls below (credits)').fill('1,500');
    await topUp().getByLabel('Buy', { exact: true }).selectOption('2,000 credits');
    await topUp().getByLabel('At most per month (US$)').fill('10');
    await button('Save top-up').click();
    await page.getByText('No card is saved to pay with.').first().waitFor();

    await button('Add a card').click();
    await page.getByRole('link', { name: 'Add payment method' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiration').fill('12 / 39');
    await page.getByLabel('Security code').fill('123');
    await page.getByLabel('Name on card').fill('Ada Assayer');
    await button('Add card').click();
    await page.getByRole('link', { name: 'Return to Assay' }).click();
    await page.waitForURL(`${inject('product').url}/billing`);

    await topUp().getByText('Paid with Visa ending in 4242.').waitFor();
    await topUp().getByLabel('Buy a credit pack by itself when my balance is low').check();
    await topUp().getByLabel('When it falls below (credits)').fill('1,500');
    await topUp().getByLabel('Buy', { exact: true }).selectOption('2,000 credits');
    await topUp().getByLabel('At most per month (US$)').fill('10');
    await button('Save top-up').click();
    await page.getByRole('status').getByText('Automatic top-up is on.', { exact: true }).waitFor();

    // A worker looks every minute.
    await expect.poll(() => factOf('Balance'), { timeout: 150_000 }).toBe('2,998');
    await banner().waitFor({ state: 'detached' });
    await topUp().getByText('$7.00 spent this month.').waitFor();
    const newest = page.getByRole('region', { name: 'credits history' }).getByRole('row').nth(1);
    expect((await newest.getByRole('cell').allInnerTexts()).slice(0, 2)).toEqual([
      'Credit pack',
      'Automatic top-up',
    ]);
    const invoices = page.getByRole('region', { name: 'invoices' });
    await invoices.getByText('$7.00', { exact: true }).waitFor();
    const opening = page.context().waitForEvent('page');
    await invoices.getByRole('button', { name: 'View: 2K' }).click();
    await (await opening).getByText('$7.00').waitFor();
  });
});
