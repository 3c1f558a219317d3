import type { Client } from '@assay/client';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { baselinesApart } from '../support/baselines.ts';
import { newCustomer, openCustomer } from '../support/customer.ts';
import { csvFile, offer, previewFile } from '../verification-bulk/steps.ts';

let page: Page;

const packs = () => page.getByRole('region', { name: 'Credit packs' });
const topUp = () => page.getByRole('region', { name: 'Automatic top-up' });
const isOn = () => topUp().getByLabel('Buy a credit pack by itself when my balance is low');
const history = () => page.getByRole('region', { name: 'credits history' });
const cellsOfNewest = () => history().getByRole('row').nth(1).getByRole('cell').allInnerTexts();
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** One of the sections of Billing. */
const goTo = (section: string) =>
  page.getByRole('navigation', { name: 'Billing' }).getByRole('link', { name: section }).click();

const confirmButton = () => offer(page).getByRole('button', { name: 'Confirm' });

async function pay(cardNumber: string, price: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNumber);
  await page.getByLabel('Expiration').fill('12 / 39');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on card').fill('Ada Assayer');
  await button(`Pay ${price}`).click();
}

/** In the portal of the payments stand-in, without a browser. */
async function saveCard(api: Client, number: string): Promise<void> {
  const { portal_url } = await api.billing.openCustomerPortal({ query: {} });
  const body = new URLSearchParams({ number, expiry: '12 / 39', cvc: '123', name: 'Ada Assayer' });
  await fetch(`${portal_url}/card`, { method: 'POST', body, redirect: 'manual' });
}

describe('credit packs', () => {
  it('an automatic top-up whose bank wants the customer present stops and says what to do; a payment that the bank disputes stops it again: its credits come, and are frozen, with a notice', async () => {
    const { api, open } = await newCustomer();
    await saveCard(api, '4000 0027 6000 3184');
    await api.billing.setAutomaticTopUp({
      body: { is_on: true, below: 1_500, pack: '2K', monthly_cap_in_cents: 1_000 },
    });
    page = await open('/billing/top-up');
    const stopped = topUp().getByRole('alert');
    await stopped
      .getByText(
        'Automatic top-up has stopped: your bank wants you to confirm payments yourself. Use another card, then turn it on again.',
      )
      .waitFor();
    await saveCard(api, '4242 4242 4242 4242');
    await topUp().getByLabel('When it falls below (credits)').fill('500');
    await isOn().check();
    await button('Save top-up').click();
    await stopped.waitFor({ state: 'detached' });
    await goTo('Buy credits');

    await packs().getByLabel('Pack').selectOption('2,000 credits');
    await packs().getByRole('button', { name: 'Buy credits' }).click();
    await page.waitForURL('**/checkout/**');
    await pay('4000 0000 0000 0259', '$7.00');
    await page.waitForURL(`${inject('product').url}/billing`);
    await page
      .getByRole('region', { name: 'Your plan' })
      .getByText('A bank disputes one of your payments')
      .waitFor();
    await expect.poll(cellsOfNewest).toEqual(expect.arrayContaining(['Refund', '-2,000', '1,000']));
    await goTo('Spending');

    const credits = page.getByRole('region', { name: 'Your credits' });
    await credits.getByText('A bank disputes one of your payments').waitFor();
    await expect
      .poll(async () => (await credits.locator('dl').innerText()).replaceAll(/\s+/g, ' '))
      .toMatch(/^Balance 1,000 .*Frozen 2,000 disputed payment$/);
    await goTo('Automatic top-up');
    await stopped.getByText('Automatic top-up has stopped: a bank disputes one of your payments.').waitFor();
    await expect.poll(() => isOn().isChecked()).toBe(false);
    await expectAccessibleInBothSchemes(page);
  });

  it('a pack beside the plans: its price, a declined card, and a payment that adds the credits at the return, with its invoice; the plan stays', async () => {
    ({ page } = await openCustomer('/billing/packs'));
    await packs().getByLabel('Pack').selectOption('50,000 credits');
    await packs().getByText('$125.00', { exact: true }).waitFor();
    await packs().getByText('$0.0025 per credit', { exact: true }).waitFor();
    await packs().getByLabel('Pack').selectOption('2,000 credits');
    await expectAccessibleInBothSchemes(page);
    await packs().getByRole('button', { name: 'Buy credits' }).click();

    await page.waitForURL('**/checkout/**');
    await page.getByText('2,000 credits').waitFor();
    await pay('4000 0000 0000 0002', '$7.00');
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    const said = page.getByRole('status').getByText('2,000 credits added.', { exact: true }).waitFor();
    await pay('4242 4242 4242 4242', '$7.00');

    await said;
    await page.waitForURL(`${inject('product').url}/billing`);
    await expect
      .poll(cellsOfNewest)
      .toEqual([
        ...[
          'Credit pack',
          'Checkout',
          expect.stringMatching(/^2K credit pack\s*Invoice$/),
          '+2,000',
          '3,000',
        ],
        expect.any(String),
      ]);
    await expect
      .poll(() =>
        baselinesApart(
          history().getByRole('cell').filter({ hasText: '2K credit pack' }),
          history().getByText('Invoice', { exact: true }),
        ),
      )
      .toBeLessThan(1);
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await sidebar.getByText('3.0k', { exact: true }).waitFor();
    await sidebar.getByText('FREE', { exact: true }).waitFor();

    // The tab opens with the click: browsers block one that opens when the answer is there.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/billing/me/invoices/*', (route) => held.promise.then(() => route.continue()));
    const opening = page.context().waitForEvent('page');
    await history().getByRole('button', { name: 'Invoice' }).click();
    const invoice = await opening;
    held.resolve();
    await invoice.getByText('2,000 credits').waitFor();
    await invoice.getByText('$7.00').first().waitFor();

    // An invoice that cannot be opened leaves no empty tab.
    const refused = { errors: [{ code: 'busy', message: 'Not now' }] };
    await page.route(
      '**/api/billing/me/invoices/*',
      (route) => route.fulfill({ status: 409, json: refused }),
      { times: 1 },
    );
    await goTo('Invoices');
    await page.getByRole('region', { name: 'invoices' }).getByText('Paid', { exact: true }).waitFor();
    const openingInVain = page.context().waitForEvent('page');
    await page.getByRole('region', { name: 'invoices' }).getByRole('button', { name: 'View: 2K' }).click();
    const empty = await openingInVain;
    await page.getByText('Not now').waitFor();
    await expect.poll(() => empty.isClosed()).toBe(true);

    const asking = page.context().waitForEvent('request', (request) => request.url().endsWith('/pdf'));
    await page.getByRole('region', { name: 'invoices' }).getByRole('button', { name: 'PDF: 2K' }).click();
    const pdf = await fetch((await asking).url());
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
  });

  it('an import that is short of credits continues after the purchase, without a new upload', async () => {
    ({ page } = await openCustomer('/email-verification/bulk'));
    const many = Array.from({ length: 1_500 }, (_, number) => `jane+${number}@exists.test`);
    await previewFile(page, csvFile('large.csv', ['email', ...many]));
    await offer(page).getByText("You're 500 credits short.").waitFor();
    const uploads: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('lists_bulk')) uploads.push(request.url());
    });
    await offer(page).getByRole('button', { name: 'Buy credits' }).click();
    await page.getByText('Your import of large.csv waits for credits.').waitFor();
    // The smallest pack that covers what is missing.
    await expect.poll(() => packs().getByLabel('Pack').inputValue()).toBe('2K');
    await packs().getByRole('button', { name: 'Buy credits' }).click();
    await page.waitForURL('**/checkout/**');
    await pay('4242 4242 4242 4242', '$7.00');

    await page.waitForURL('**/email-verification/bulk');
    await offer(page).getByText('You will be charged up to 1,500 credits.').waitFor();
    await expectAccessibleInBothSchemes(page);
    await expect.poll(() => confirmButton().isEnabled()).toBe(true);
    expect(uploads).toEqual([]);
    await confirmButton().click();
    await page.getByText('Email verification started for list large.').waitFor();
  });
});
