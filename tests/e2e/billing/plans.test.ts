import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { openCustomer } from '../support/customer.ts';

let page: Page;
beforeEach(async () => {
  ({ page } = await openCustomer('/billing'));
  await card().waitFor();
});

const card = (tab: Page = page) => tab.getByRole('region', { name: 'Your plan' });
const compare = () => page.getByRole('dialog', { name: 'Compare plans' });
const slider = () => compare().getByRole('slider', { name: 'Plan' });
const manage = () => compare().getByRole('button', { name: 'Manage Subscription' });
const history = (tab: Page = page) => tab.getByRole('region', { name: 'credits history' });
const cellsOfNewest = (tab: Page = page) =>
  history(tab).getByRole('row').nth(1).getByRole('cell').allInnerTexts();
const cardPays = '4242 4242 4242 4242';
const cardIsDeclined = '4000 0000 0000 0002';
const cardIsDeclinedLater = '4000 0000 0000 0341';

/** The heights of the plans that can be chosen. Runs in the page. */
const tierHeights = `[...document.querySelectorAll('[role="dialog"] fieldset button[aria-pressed]')].map(
  (tier) => tier.getBoundingClientRect().height)`;

async function openCompare(): Promise<void> {
  await card().getByRole('button', { name: 'Compare Plans' }).click();
  await slider().waitFor();
}

async function typeCard(number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration').fill('12 / 39');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on card').fill('Ada Assayer');
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const backOnBilling = async () => {
  await page.waitForURL(`${inject('product').url}/billing`);
  await card().waitFor();
};

/** Another tab of the same customer, which is never reloaded. */
async function openWatchingTab(): Promise<Page> {
  const watching = await page.context().newPage();
  await watching.goto('/billing');
  await card(watching).waitFor();
  return watching;
}

/** Buys the plan this many steps above Free. */
async function subscribe(steps: number, price: string): Promise<void> {
  await openCompare();
  for (let step = 0; step < steps; step++) await slider().press('ArrowRight');
  await manage().click();
  await page.waitForURL('**/checkout/**');
  await typeCard(cardPays);
  await button(`Pay ${price} and subscribe`).click();
  await backOnBilling();
}

async function expectPlan(tab: Page, facts: { plan: string; total: string; label: string; balance: string }) {
  await card(tab).getByText(facts.plan, { exact: true }).waitFor();
  await card(tab).getByText(facts.total, { exact: true }).waitFor();
  const sidebar = tab.getByRole('complementary', { name: 'Sidebar' });
  await sidebar.getByText(facts.label, { exact: true }).waitFor();
  await sidebar.getByText(facts.balance, { exact: true }).waitFor();
}

describe('§2 Billing page', () => {
  it('Plan card: Plan, Next invoice issue date, Invoice total; the history of a new customer; §9 Compare plans dialog: the slider goes over the seven tiers, each with its fee, price and saving; §4 Upgrade: when the portal cannot be had, the loading state stops and the reason is shown; the browser’s way back finds the buttons ready', async () => {
    await expectPlan(page, { plan: 'Free', total: '$0.00', label: 'FREE', balance: '1.0k' });
    const [term, date] = await card()
      .locator('div:has(> dt:text("Next invoice issue date"))')
      .locator('dt, dd')
      .allInnerTexts();
    expect(term).toBe('Next invoice issue date');
    expect(date).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
    await expect
      .poll(() => history().getByRole('columnheader').allInnerTexts())
      .toEqual([...['Type', 'Source', 'Detail', 'Amount', 'Balance', 'Date']]);
    await expect.poll(async () => (await cellsOfNewest()).slice(3, 5)).toEqual(['+1,000', '1,000']);
    await expectAccessibleInBothSchemes(page);

    await openCompare();
    const seen: string[][] = [];
    for (let step = 0; step < 7; step++) {
      const facts = await compare().getByRole('definition').allInnerTexts();
      seen.push([(await slider().getAttribute('aria-valuetext'))?.split(',')[0] ?? '', ...facts]);
      await slider().press('ArrowRight');
    }
    expect(seen).toEqual([
      ['Free', '$0.00', 'Free', '–'],
      ['2K', '$7.00', '$0.0035', '–'],
      ['10K', '$30.00', '$0.003', '14% vs 2K'],
      ['50K', '$125.00', '$0.0025', '29% vs 2K'],
      ['250K', '$500.00', '$0.002', '43% vs 2K'],
      ['500K', '$750.00', '$0.0015', '57% vs 2K'],
      ['1M', '$1,000.00', '$0.001', '71% vs 2K'],
    ]);
    await compare().getByText('$1,000.00 is due at once.').waitFor();
    await expect
      .poll(() => compare().innerText())
      .toMatch(/1 million credits.*100 million validations per month/s);
    await expectAccessibleInBothSchemes(page);
    // On a phone each plan is as high as a finger needs.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate<number[]>(tierHeights)).toHaveLength(7);
    await expect
      .poll(async () => Math.min(...(await page.evaluate<number[]>(tierHeights))))
      .toBeGreaterThanOrEqual(44);
    await page.setViewportSize({ width: 1280, height: 900 });

    const refuse = () =>
      page.route(
        '**/customer_portal*',
        (route) =>
          route.fulfill({ status: 409, json: { errors: [{ code: 'busy', message: 'Not just now.' }] } }),
        { times: 1 },
      );
    await refuse();
    await manage().click();
    await page.getByText('Not just now.', { exact: true }).first().waitFor();
    await expect.poll(() => manage().isEnabled()).toBe(true);
    await compare().getByRole('button', { name: 'Custom plans' }).click();
    await page.getByRole('dialog', { name: 'Request a call' }).waitFor();
    await compare().waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Request a call' }).waitFor({ state: 'hidden' });

    await refuse();
    const upgrade = card().getByRole('button', { name: 'Upgrade Plan' });
    await upgrade.click();
    await expect.poll(() => upgrade.isEnabled()).toBe(true);
    expect(page.url()).toBe(`${inject('product').url}/billing`);

    await upgrade.click();
    await page.getByRole('heading', { name: 'Current plan' }).waitFor();
    await page.goBack();
    await expect.poll(() => upgrade.isEnabled()).toBe(true);
  });

  it('a first plan is paid in checkout: a declined card is refused there, and changes nothing here', async () => {
    await openCompare();
    await slider().press('ArrowRight');
    await slider().press('ArrowRight');
    await compare().getByText('10,000', { exact: true }).waitFor();
    await manage().click();

    await page.waitForURL('**/checkout/**');
    await page.getByText('$30.00', { exact: true }).waitFor();
    await expectAccessibleInBothSchemes(page);
    await typeCard(cardIsDeclined);
    await button('Pay $30.00 and subscribe').click();

    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: 'Back to Assay' }).click();
    await backOnBilling();
    await expectPlan(page, { plan: 'Free', total: '$0.00', label: 'FREE', balance: '1.0k' });
  });

  it('a card that pays: back by /redirect with the new plan and its credits, and in the other tab without a reload; the history links to the invoice; §4 Upgrade Plan: the portal pays a larger plan with the card it knows, and a declined one changes nothing', async () => {
    const watching = await openWatchingTab();
    const cameBy: string[] = [];
    page.on(
      'request',
      (request) => request.isNavigationRequest() && cameBy.push(new URL(request.url()).pathname),
    );
    await subscribe(2, '$30.00');

    expect(cameBy).toContain('/redirect');
    for (const tab of [page, watching]) {
      await expectPlan(tab, { plan: '10K', total: '$30.00', label: '10.0k PLAN', balance: '11.0k' });
      await expect
        .poll(() => cellsOfNewest(tab))
        .toEqual([
          ...[
            'Purchase',
            'Subscription',
            expect.stringMatching(/^10K plan, .* to .*\s*Invoice$/),
            '+10,000',
            '11,000',
          ],
          expect.any(String),
        ]);
    }
    await expectAccessibleInBothSchemes(watching);

    const opening = page.context().waitForEvent('page');
    await history().getByRole('button', { name: 'Invoice' }).click();
    const invoice = await opening;

    await invoice.getByText('$30.00').first().waitFor();
    await expectAccessibleInBothSchemes(invoice);
    await invoice.close();

    await card().getByRole('button', { name: 'Upgrade Plan' }).click();
    await page.getByRole('heading', { name: 'Current plan' }).waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: 'Add payment method' }).click();
    await typeCard(cardIsDeclinedLater);
    await expectAccessibleInBothSchemes(page);
    await button('Add card').click();
    await page.getByRole('link', { name: 'Update plan' }).click();
    await page.getByRole('link', { name: 'Upgrade 50K plan' }).waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: 'Upgrade 50K plan' }).click();
    await button('Pay $125.00 and switch').click();

    await page.getByRole('alert').getByText('Nothing was changed and nothing was charged.').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: 'Return to Assay' }).click();
    await backOnBilling();
    await expectPlan(page, { plan: '10K', total: '$30.00', label: '10.0k PLAN', balance: '11.0k' });

    await card().getByRole('button', { name: 'Upgrade Plan' }).click();
    await page.getByRole('button', { name: /^Make default.*4242$/ }).click();
    await page.getByRole('link', { name: 'Update plan' }).click();
    await page.getByRole('link', { name: 'Upgrade 50K plan' }).click();
    await button('Pay $125.00 and switch').click();
    await page.getByRole('heading', { name: '50K plan' }).waitFor();
    await page.getByRole('link', { name: 'Return to Assay' }).click();
    await backOnBilling();
    for (const tab of [page, watching]) {
      await expectPlan(tab, { plan: '50K', total: '$125.00', label: '50.0k PLAN', balance: '61.0k' });
    }
  });

  const sidebar = (tab: Page = page) => tab.getByRole('complementary', { name: 'Sidebar' });
  const keep = (within: Locator) => within.getByRole('button', { name: 'Keep my plan' });
  /** Begins to wait before the trip ends, because a snackbar stays for four seconds. */
  const told = (words: RegExp) => page.getByRole('status').getByText(words).waitFor();
  const dateShown = () =>
    card().locator('div:has(> dt:text("Next invoice issue date")) > dd').first().innerText();

  it('a cancelled plan: the card shows 0 and its end, sidebar and dialog agree, and one click keeps it; a smaller plan: the card shows what will be invoiced, and another choice leads where it can be undone', async () => {
    const watching = await openWatchingTab();
    await subscribe(3, '$125.00');
    await expectPlan(page, { plan: '50K', total: '$125.00', label: '50.0k PLAN', balance: '51.0k' });
    const renewal = await dateShown();
    await openCompare();
    await expect.poll(() => compare().getByText('Your plan', { exact: true }).count()).toBe(1);
    await manage().click();
    await page.getByRole('link', { name: 'Cancel plan' }).click();
    await expectAccessibleInBothSchemes(page);
    await button('Cancel plan').click();

    await page.getByText('Your plan ends on').waitFor();
    await expectAccessibleInBothSchemes(page);
    const cancelSaying = told(/^Your plan was cancelled; it ends on [A-Z][a-z]{2} \d\d\.$/);
    await page.getByRole('link', { name: 'Return to Assay' }).click();
    await backOnBilling();
    await cancelSaying;
    for (const tab of [page, watching]) {
      // The paid plan stays until the month's end, and no invoice follows.
      await expectPlan(tab, { plan: '50K', total: '$0.00', label: '50.0k PLAN', balance: '51.0k' });
      await card(tab)
        .getByText(`Your plan is cancelled. You have 50K until ${renewal}, then Free.`, { exact: true })
        .waitFor();
      await sidebar(tab)
        .getByText(/^FREE from [A-Z][a-z]{2} \d\d$/)
        .waitFor();
    }
    await expect.poll(dateShown).toBe(renewal);
    await expectAccessibleInBothSchemes(page);

    await openCompare();
    await compare().getByText(`This is the plan that you have until ${renewal}.`).waitFor();
    await slider().press('ArrowRight');
    await compare()
      .getByText(
        `Your plan is cancelled and ends on ${renewal}. Keep your 50K plan first, then choose another one.`,
      )
      .waitFor();
    await expectAccessibleInBothSchemes(page);
    await keep(compare()).click();
    await compare().getByText('$500.00 is due at once.').waitFor();
    await page.keyboard.press('Escape');
    await compare().waitFor({ state: 'hidden' });
    for (const tab of [page, watching]) {
      await expectPlan(tab, { plan: '50K', total: '$125.00', label: '50.0k PLAN', balance: '51.0k' });
      await keep(card(tab)).waitFor({ state: 'detached' });
    }

    await openCompare();
    await slider().press('ArrowLeft');
    await manage().click();
    const changeSaying = told(/^Your plan changes to 10K on [A-Z][a-z]{2} \d\d\.$/);
    await button('Schedule the change').click();
    await backOnBilling();
    await changeSaying;
    for (const tab of [page, watching]) {
      await expectPlan(tab, { plan: '50K', total: '$30.00', label: '50.0k PLAN', balance: '51.0k' });
      await card(tab).getByText(`Your plan changes to 10K on ${renewal}. You have 50K until then.`).waitFor();
      await sidebar(tab)
        .getByText(/^10\.0k PLAN from [A-Z][a-z]{2} \d\d$/)
        .waitFor();
    }
    await openCompare();
    await slider().press('ArrowLeft');
    await compare().getByText(`Your plan changes to this one on ${renewal}.`).waitFor();
    await slider().press('End');
    await compare().getByText('Keep your 50K plan first, then choose another one.').waitFor();
    await manage().click();
    await page.getByRole('heading', { name: 'Current plan' }).waitFor();
    await button("Don't change plan").click();
    await page.getByText('Renews on').waitFor();
    const keptSaying = told(/^Your plan is kept\.$/);
    await page.getByRole('link', { name: 'Return to Assay' }).click();
    await backOnBilling();
    await keptSaying;
    await expectPlan(page, { plan: '50K', total: '$125.00', label: '50.0k PLAN', balance: '51.0k' });
  });
});
