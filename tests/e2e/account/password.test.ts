import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { accessibilityProblems, openPage, type Person, signIn, signUp } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
let person: Person;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser);
  person = await signUp(page);
  await page.goto('/account');
});
afterAll(() => browser.close());

const security = () => page.getByRole('region', { name: 'Security' });
const toldText = 'You will be asked for a new password on next login.';

// One story, told in order.
describe('§2 Account page: Security', () => {
  it("§8 'Password reset successfully', and the row is replaced", async () => {
    await security().getByRole('button', { name: 'Reset Password' }).click();

    await page.getByText('Password reset successfully', { exact: true }).waitFor();
    await security().getByText(toldText, { exact: true }).waitFor();
    expect(await security().getByRole('button').count()).toBe(0);
    expect(
      await security()
        .getByText(/Signed in with/)
        .count(),
    ).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('§4 Password reset: the flag in session storage keeps the text after a reload', async () => {
    await page.reload();

    await security().getByText(toldText, { exact: true }).waitFor();
  });

  it('the identity provider really asks for a new password at the next sign-in', async () => {
    const other = await openPage(browser);
    await other.goto('/');
    await signIn(other, person);

    await other.getByLabel('New password').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await other.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(other)).toEqual([]);
    }
    await other.getByLabel('New password').fill('cupel-and-crucible-1');
    await other.getByRole('button', { name: 'Save and continue' }).click();
    await other.waitForURL('**/email-verification/single');
  });
});
