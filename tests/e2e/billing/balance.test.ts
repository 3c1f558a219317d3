import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { baselinesApart } from '../support/baselines.ts';
import { newCustomer, startList, untilComplete } from '../support/customer.ts';
import { cutOffAtAnyWidth } from '../support/visitor.ts';

let page: Page;

const credits = () => page.getByRole('region', { name: 'Your credits' });
const factOf = (name: string) =>
  credits().locator(`div:has(> dt:text-is("${name}")) > dd`).first().innerText();
const topUp = () => page.getByRole('region', { name: 'Automatic top-up' });
const banner = () => page.getByRole('region', { name: 'Low balance', exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** In the portal of the payments stand-in. */
async function saveCard(number: string): Promise<void> {
  await page.getByRole('heading', { name: 'Add a payment method' }).waitFor();
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration').fill('12 / 39');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on card').fill('Ada Assayer');
  await button('Add card').click();
  await page.waitForURL(`${inject('product').url}/billing/top-up`);
}

/** One of the sections of Billing. */
const goTo = (section: string) =>
  page.getByRole('navigation', { name: 'Billing' }).getByRole('link', { name: section }).click();

/** Settings that charge at once ask first. */
async function payNow(price: string, paidWith: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Buy a pack now?' });
  await question.getByText(`${paidWith} is charged ${price} for 2,000 credits.`).waitFor();
  await question.getByRole('button', { name: `Save and pay ${price}` }).click();
}

describe('the balance on the billing page', () => {
  it('exact balance, spending, list names; an alert shows a notice on every page until it is closed; an automatic top-up needs a card, says on every page that it stopped on a decline, buys one pack by itself with another card, and its payment is listed', async () => {
    const { api, open } = await newCustomer();
    const list = await startList(api, 'spring.csv', ['email', 'jane@exists.test', 'nobody@exists.test']);
    await untilComplete(api, list.id);
    page = await open('/billing/spending');
    await expect.poll(() => factOf('Balance')).toBe('998');
    await expect.poll(() => factOf('On hold')).toBe('0');
    await expect.poll(() => factOf('Saved card')).toBe('None');
    await expect.poll(() => factOf('Lasts until')).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
    await credits().getByText('2 credits spent in the last 30 days').first().waitFor();
    const chart = credits().getByRole('slider', { name: 'Credits spent by day' });
    await chart.focus();
    await chart.press('ArrowLeft');
    await credits()
      .getByText(/^[A-Z][a-z]{2} \d+: 2 credits$/)
      .waitFor();
    // A finger chooses a day too.
    await chart.blur();
    await credits().getByText('2 credits spent in the last 30 days').first().waitFor();
    const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await chart.dispatchEvent('pointerdown', {
      pointerType: 'touch',
      clientX: x + width - 2,
      clientY: y + 2,
    });
    await credits()
      .getByText(/^[A-Z][a-z]{2} \d+: 2 credits$/)
      .waitFor();
    await expect.poll(() => cutOffAtAnyWidth(page)).toEqual([]);
    await goTo('Overview');
    await page.getByRole('link', { name: 'spring', exact: true }).waitFor();
    await goTo('Invoices');
    await page.getByText('Nothing has been paid yet.').waitFor();
    await goTo('Alerts');

    const thresholds = page.getByLabel('Tell me when my balance falls below');
    await thresholds.fill('many');
    await button('Save alerts').click();
    await page.getByText('Enter up to 5 whole numbers above 0').waitFor();
    await thresholds.fill('1,500; 10');
    await button('Save alerts').click();
    await banner().getByText('Your balance is below 1,500 credits.').waitFor();
    await expectAccessibleInBothSchemes(page);
    await expect.poll(() => cutOffAtAnyWidth(page)).toEqual([]);
    await goTo('Automatic top-up');
    await topUp().getByLabel('Buy a credit pack by itself when my balance is low').check();
    await topUp().getByLabel('When it falls below (credits)').fill('1,500');
    await topUp().getByLabel('Buy', { exact: true }).selectOption('2,000 credits');
    await topUp().getByLabel('At most per month (US$)').fill('10');
    await button('Save top-up').click();
    await topUp().getByRole('alert').getByText('Add a card first').waitFor();
    await expectAccessibleInBothSchemes(page);
    await expect.poll(() => cutOffAtAnyWidth(page)).toEqual([]);

    await button('Add a card').click();
    await saveCard('4000 0000 0000 0341');
    await topUp().getByText('Paid with Visa ending in 0341.').waitFor();
    await expect
      .poll(() =>
        baselinesApart(
          topUp().getByText('Paid with Visa ending in 0341.'),
          topUp().getByText('Change card', { exact: true }),
        ),
      )
      .toBeLessThan(1);
    await topUp().getByLabel('Buy a credit pack by itself when my balance is low').check();
    await topUp().getByLabel('When it falls below (credits)').fill('1,500');
    await topUp().getByLabel('Buy', { exact: true }).selectOption('2,000 credits');
    await topUp().getByLabel('At most per month (US$)').fill('10');
    await button('Save top-up').click();
    await payNow('$7.00', 'Visa ending in 0341');
    await topUp().getByRole('alert').getByText('your card was declined').waitFor();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    const stopped = page.getByRole('region', { name: 'Top-up stopped' });
    await stopped.getByText('your card was declined').waitFor();
    await expectAccessibleInBothSchemes(page);
    await stopped.getByRole('link', { name: 'Go to Automatic top-up' }).click();

    await button('Change card').click();
    await saveCard('4242 4242 4242 4242');
    await topUp().getByText('Paid with Visa ending in 4242.').waitFor();
    await topUp().getByLabel('Buy a credit pack by itself when my balance is low').check();
    await button('Save top-up').click();
    await payNow('$7.00', 'Visa ending in 4242');
    await topUp().getByRole('alert').waitFor({ state: 'detached' });
    await banner().waitFor({ state: 'detached' });
    await topUp().getByText('$7.00 spent this month.').waitFor();
    await goTo('Spending');
    await expect.poll(() => factOf('Balance')).toBe('2,998');
    await goTo('Overview');
    const newest = page.getByRole('region', { name: 'credits history' }).getByRole('row').nth(1);
    await expect
      .poll(async () => (await newest.getByRole('cell').allInnerTexts()).slice(0, 2))
      .toEqual(['Credit pack', 'Automatic top-up']);
    await goTo('Invoices');
    const invoices = page.getByRole('region', { name: 'invoices' });
    await invoices.getByText('$7.00', { exact: true }).waitFor();
    const opening = page.context().waitForEvent('page');
    await invoices.getByRole('button', { name: 'View: 2K' }).click();
    await (await opening).getByRole('row', { name: '2,000 credits $7.00' }).waitFor();
    await invoices.getByRole('button', { name: 'PDF: 2K' }).waitFor();
  });

  it('shows the settings of the top-up that were saved elsewhere meanwhile', async () => {
    const { api, open } = await newCustomer();
    page = await open('/billing/top-up');
    const below = topUp().getByLabel('When it falls below (credits)');
    await topUp().getByText('No card is saved.').waitFor();
    await expect.poll(() => below.inputValue()).not.toBe('700');

    await api.billing.setAutomaticTopUp({
      body: { is_on: false, below: 700, pack: '10K', monthly_cap_in_cents: 9_000 },
    });
    // The page loads its parts anew when credits are spent.
    await api.validations.startSingle({ body: { email_address: 'jane@exists.test' } });

    await expect.poll(() => below.inputValue()).toBe('700');
    await expect.poll(() => topUp().getByLabel('At most per month (US$)').inputValue()).toBe('90');
  });
});
