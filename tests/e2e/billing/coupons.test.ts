import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assay } from '../support/assay-command.ts';
import { launchBrowser } from '../support/browser.ts';
import { accessibilityProblems, openPage, signUp } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
const suffix = randomUUID().slice(0, 6).toUpperCase();
const welcome = `WELCOME-${suffix}`;
const disabled = `GONE-${suffix}`;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser);
  await Promise.all([
    signUp(page),
    assay('coupons', 'create', welcome, '--credits', '12500', '--max', '1'),
    assay('coupons', 'create', disabled, '--credits', '50').then(() => assay('coupons', 'disable', disabled)),
  ]);
  await page.goto('/billing');
});
afterAll(() => browser.close());

const dialog = () => page.getByRole('dialog', { name: 'Redeem credits' });
const field = () => dialog().getByLabel('Coupon code');
const apply = () => dialog().getByRole('button', { name: 'Apply coupon' });
const chip = () => dialog().getByRole('alert').getByText('Invalid coupon', { exact: true });
const sidebar = () => page.getByRole('complementary', { name: 'Sidebar' });
const history = () => page.getByRole('region', { name: 'credits history' });

async function expectAccessible(): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page)).toEqual([]);
  }
}

// One story, told in order: each step begins where the one before ended.
describe('§2 Billing page: Redeem dialog', () => {
  it('the promo banner opens it', async () => {
    const banner = page.getByRole('region', { name: 'Promotional code' });
    await banner
      .getByText('Do you have a promotional code? Redeem your credits here.', { exact: true })
      .waitFor();
    await banner.getByRole('button', { name: 'Redeem credits' }).click();

    await field().waitFor();
    await expectAccessible();
  });

  it("§5 Coupon: 'Apply coupon' is disabled until the trimmed code has at least 5 characters", async () => {
    for (const [typed, isEnabled] of [
      ['', false],
      ['  ABCD   ', false],
      [' ABCDE ', true],
    ] as const) {
      await field().fill(typed);
      await expect.poll(() => apply().isEnabled()).toBe(isEnabled);
    }
    await field().fill('ABCD');
    await field().press('Enter');
    expect(await chip().count()).toBe(0);
  });

  it.each([
    [
      'not found',
      `NOBODY-${suffix}`,
      404,
      'There is no coupon with this code. Check that you typed all of it.',
    ],
    ['invalid', disabled, 410, 'This coupon was withdrawn. Ask for another one where you got it.'],
  ])(
    "§4 a coupon that is %s: an 'Invalid coupon' chip and why, which go with the next letter",
    async (_, code, status, sentence) => {
      const answered = page.waitForResponse('**/redemption');
      await field().fill(code);
      await apply().click();

      expect((await answered).status()).toBe(status);
      await chip().waitFor();
      await dialog().getByRole('alert').getByText(sentence, { exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/billing');

      await field().press('End');
      await field().pressSequentially('X');
      await chip().waitFor({ state: 'detached' });
    },
  );

  it("a valid one, in any case and with spaces around it: '{amount} credits successfully redeemed.'", async () => {
    await field().fill(`  ${welcome.toLowerCase()} `);
    await field().press('Enter');

    await dialog().getByText('12,500 credits successfully redeemed.', { exact: true }).waitFor();
    await expectAccessible();
    await dialog().getByRole('button', { name: 'Understood' }).click();
    await dialog().waitFor({ state: 'hidden' });
  });

  it('§4 the wallet in the sidebar and the history follow without a reload', async () => {
    await sidebar().getByText('13.5k', { exact: true }).waitFor();
    const newest = history().getByRole('row').nth(1);
    await expect
      .poll(() => newest.getByRole('cell').allInnerTexts())
      .toEqual([
        ...['Coupon', 'Coupon', expect.stringContaining(welcome), '+12,500', '13,500'],
        expect.stringMatching(/^[A-Z][a-z]{2} \d\d, \d{4}$/),
      ]);
  });

  it("§4 already_used: 'Invalid coupon', and nothing is given twice", async () => {
    await page.getByRole('button', { name: 'Redeem credits' }).click();
    const answered = page.waitForResponse('**/redemption');
    await field().fill(welcome);
    await apply().click();

    expect((await answered).status()).toBe(409);
    await chip().waitFor();
    await dialog().getByText('You have already redeemed this coupon.').waitFor();
    await expectAccessible();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByText('1–2 of 2', { exact: true }).waitFor();
    await sidebar().getByText('13.5k', { exact: true }).waitFor();
  });
});
