import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newPerson, openPage, sidewaysOverflow, signIn } from '../support/visitor.ts';

let page: Page;
beforeEach(async () => {
  page = await openPage();
  await page.goto('/');
});

async function expectAccessibleAtAnyWidth(): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 860 });
    await expectAccessibleInBothSchemes(page);
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  }
}

// The page for a new password is checked in account/password.test.ts, and Google's in account/social.test.ts.
describe('the pages of the identity provider have no accessibility violation and do not scroll sideways', () => {
  it('sign in, empty and with a wrong password', async () => {
    await page.getByLabel('Password').waitFor();

    await expectAccessibleAtAnyWidth();

    await signIn(page, { email: newPerson().email, password: 'not-the-password' });
    await page.getByRole('alert').waitFor();

    await expectAccessibleAtAnyWidth();
  });

  it('sign up, empty and with an error', async () => {
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    await expectAccessibleAtAnyWidth();

    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Assayer');
    await page.getByLabel('Email').fill(newPerson().email);
    await page.getByLabel('Password').fill('aaaaaaaaaaaa');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Password').and(page.locator('[aria-invalid="true"]')).waitFor();
    await expectAccessibleAtAnyWidth();
  });
});
