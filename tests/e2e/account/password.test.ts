import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { openCustomer, tokenOf } from '../support/customer.ts';
import { openPage, type Person, signIn } from '../support/visitor.ts';

let page: Page;
let person: Person;
beforeEach(async () => {
  ({ page, person } = await openCustomer('/account'));
});

const security = () => page.getByRole('region', { name: 'Security' });
const toldText = 'You will be asked for a new password on next login.';

/** The same person in a browser of their own, at work on some page. */
async function openElsewhere(path: string): Promise<Page> {
  const elsewhere = await openPage();
  await elsewhere.goto(path);
  await signIn(elsewhere, person);
  await elsewhere.waitForURL(`**${path}`);
  await elsewhere.getByRole('navigation').first().waitFor();
  return elsewhere;
}
const sessionEnded = (of: Page) => of.getByRole('heading', { name: 'Your session has ended' });
const statusWith = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${inject('product').url}/api/users/me`, { headers })).status;
};

describe('Account page: Sign out everywhere', () => {
  it('asks first, then ends every other session at once and keeps this one; signing in there leads back to its page and what was typed on it', async () => {
    const elsewhere = await openElsewhere('/email-verification/single');
    await elsewhere.getByPlaceholder('Verify a single email').fill('half-typed@exists');
    const token = await tokenOf(elsewhere);
    expect(await statusWith(token)).toBe(200);
    await security().getByRole('button', { name: 'Sign out everywhere' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out everywhere' });
    await dialog.getByText('Every other session of yours ends at once.').waitFor();
    await expectAccessibleInBothSchemes(page);

    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();

    await page.getByText('All other sessions have ended.', { exact: true }).waitFor();
    expect(await statusWith(token)).toBe(401);
    await sessionEnded(elsewhere).waitFor();
    await expect.poll(() => accessibilityProblems(elsewhere)).toEqual([]);
    await page.reload();
    await security().getByRole('button', { name: 'Sign out everywhere' }).waitFor();

    await elsewhere.getByRole('button', { name: 'Sign in' }).click();
    await signIn(elsewhere, person);
    await elsewhere.waitForURL('**/email-verification/single');
    await expect
      .poll(() => elsewhere.getByPlaceholder('Verify a single email').inputValue())
      .toBe('half-typed@exists');
  });
});

describe('§2 Account page: Security', () => {
  it("§8 'Password reset successfully', and the row is replaced, also after a reload by the flag in session storage (§4); the provider asks for a new password at the next sign-in", async () => {
    const elsewhere = await openElsewhere('/billing');
    await security().getByRole('button', { name: 'Reset Password' }).click();

    await page.getByText('Password reset successfully', { exact: true }).waitFor();
    await security().getByText(toldText, { exact: true }).waitFor();
    await expect.poll(() => security().getByRole('button', { name: 'Reset Password' }).count()).toBe(0);
    await sessionEnded(elsewhere).waitFor();
    await expect
      .poll(() =>
        security()
          .getByText(/Signed in with/)
          .count(),
      )
      .toBe(0);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.reload();
    await security().getByText(toldText, { exact: true }).waitFor();

    const other = await openPage();
    await other.goto('/');
    await signIn(other, person);

    await other.getByLabel('New password').waitFor();
    await expectAccessibleInBothSchemes(other);
    await other.getByLabel('New password').fill('cupel-and-crucible-1');
    await other.getByRole('button', { name: 'Save and continue' }).click();
    await other.waitForURL('**/email-verification/single');
  });
});
