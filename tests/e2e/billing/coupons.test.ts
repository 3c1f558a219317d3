import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { openCustomer } from '../support/customer.ts';

let page: Page;
beforeEach(async () => {
  ({ page } = await openCustomer('/billing'));
  await page.getByRole('button', { name: 'Redeem credits' }).click();
  await field().waitFor();
});

const dialog = () => page.getByRole('dialog', { name: 'Redeem credits' });
const field = () => dialog().getByLabel('Coupon code');
const apply = () => dialog().getByRole('button', { name: 'Apply coupon' });
const chip = () => dialog().getByRole('alert').getByText('Invalid coupon', { exact: true });
const sidebar = () => page.getByRole('complementary', { name: 'Sidebar' });
const history = () => page.getByRole('region', { name: 'credits history' });

const newCode = (word: string) => `${word}-${randomUUID().slice(0, 6).toUpperCase()}`;
/** The code of a coupon that was disabled. */
async function disabledCode(): Promise<string> {
  const code = newCode('GONE');
  await assay('coupons', 'create', code, '--credits', '50', '--reason', 'A test');
  await assay('coupons', 'disable', code, '--reason', 'A test');
  return code;
}

describe('§2 Billing page: Redeem dialog', () => {
  it("the promo banner opens it; §5 Coupon: 'Apply coupon' is disabled until the trimmed code has at least 5 characters; §4 a coupon that is not found or invalid: an 'Invalid coupon' chip and why, which go with the next letter", async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    const banner = page.getByRole('region', { name: 'Promotional code' });
    await banner
      .getByText('Do you have a promotional code? Redeem your credits here.', { exact: true })
      .waitFor();
    await banner.getByRole('button', { name: 'Redeem credits' }).click();

    await field().waitFor();
    await expectAccessibleInBothSchemes(page);

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
    await expect.poll(() => chip().count()).toBe(0);

    for (const [code, status, sentence] of [
      [newCode('NOBODY'), 404, 'There is no coupon with this code. Check that you typed all of it.'],
      [await disabledCode(), 410, 'This coupon was withdrawn. Ask for another one where you got it.'],
    ] as const) {
      const answered = page.waitForResponse('**/redemption');
      const held = Promise.withResolvers<void>();
      await page.route('**/redemption', (route) => held.promise.then(() => route.continue()), { times: 1 });
      await field().fill(code);
      await apply().click();
      await expect.poll(() => dialog().getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
      // The dialog stays until it has said what became of the coupon.
      await page.keyboard.press('Escape');
      held.resolve();

      expect((await answered).status()).toBe(status);
      await chip().waitFor();
      await dialog().getByRole('alert').getByText(sentence, { exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/billing');

      await field().press('End');
      await field().pressSequentially('X');
      await chip().waitFor({ state: 'detached' });
    }
  });

  it("a valid one, in any case and with spaces around it: '{amount} credits successfully redeemed.'; §4 sidebar and history follow without a reload; §4 already_used: 'Invalid coupon', and nothing is given twice", async () => {
    const welcome = newCode('WELCOME');
    await assay('coupons', 'create', welcome, '--credits', '12500', '--max', '1', '--reason', 'A test');
    await field().fill(`  ${welcome.toLowerCase()} `);
    await field().press('Enter');

    await dialog().getByText('12,500 credits successfully redeemed.', { exact: true }).waitFor();
    await expectAccessibleInBothSchemes(page);
    // It has the focus: the field that had it is gone.
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await sidebar().getByText('13.5k', { exact: true }).waitFor();
    const newest = history().getByRole('row').nth(1);
    await expect
      .poll(() => newest.getByRole('cell').allInnerTexts())
      .toEqual([
        ...['Coupon', 'Coupon', expect.stringContaining(welcome), '+12,500', '13,500'],
        expect.stringMatching(/^[A-Z][a-z]{2} \d\d, \d{4}\s+\d\d:\d\d$/),
      ]);

    await page.getByRole('button', { name: 'Redeem credits' }).click();
    const answered = page.waitForResponse('**/redemption');
    await field().fill(welcome);
    await apply().click();

    expect((await answered).status()).toBe(409);
    await chip().waitFor();
    await dialog().getByText('You have already redeemed this coupon.').waitFor();
    await expectAccessibleInBothSchemes(page);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByText('1–2 of 2', { exact: true }).waitFor();
    await sidebar().getByText('13.5k', { exact: true }).waitFor();
  });
});
