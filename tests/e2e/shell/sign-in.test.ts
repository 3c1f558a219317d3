import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { newCustomer, openCustomer, tokenOf } from '../support/customer.ts';
import { newPerson, openPage, signIn, signUp } from '../support/visitor.ts';

let page: Page;

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, sign out' }).click();
}

describe('a newcomer', () => {
  it('§2 Sidebar: signs up and sees FREE, 1.0k, Until and the date, name and address; signs out; signs in again', async () => {
    page = await openPage();
    const person = await signUp(page);

    // The plan and the person are two answers of the API, which come in any order.
    const shown = () => page.locator('body').innerText();
    await expect.poll(shown).toMatch(/FREE/);
    await expect.poll(shown).toMatch(/1\.0k/);
    await expect.poll(shown).toMatch(/Until [A-Z][a-z]{2} \d{2}/);
    await expect.poll(shown).toContain(`${person.firstName} ${person.lastName}`);
    await expect.poll(shown).toContain(person.email);

    const token = await tokenOf(page);
    await signOut();
    // The way out ends here, even after a visit elsewhere.
    await page.getByLabel('Password').waitFor();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${inject('product').url}/api/users/me`, { headers })).status).toBe(401);
    await page.goto('/billing');
    await signIn(page, person);

    await page.waitForURL('**/billing');
    await expect.poll(() => page.locator('body').innerText()).toContain(person.email);
  });

  it('§2 Sidebar: has the items of the staging stage, and the API item opens the documentation in a new tab; is asked before signing out, and stays on Cancel; signing out clears session storage', async () => {
    ({ page } = await openCustomer('/email-verification/single'));
    const links = page.getByRole('navigation').first().getByRole('link');
    await links.first().waitFor();
    await expect
      .poll(async () => (await links.allInnerTexts()).map((item) => item.split('\n')[0]?.trim()))
      .toEqual(['Email verification', 'API', 'Billing', 'Account', 'Warm Up']);
    await expect.poll(() => links.filter({ hasText: 'API' }).getAttribute('target')).toBe('_blank');

    await page.getByRole('button', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out' });
    await dialog.waitFor();
    await expect
      .poll(() => dialog.innerText())
      .toContain("You're about to close your session. Are you sure?");
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/email-verification/single');

    await page.evaluate(() => sessionStorage.setItem('left-behind', 'x'));

    await signOut();
    // The last of several redirects; one that still comes would interrupt the next line.
    await page.waitForURL((url) => url.pathname.startsWith('/interaction/'));
    await page.goto('/not-found');

    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('left-behind'))).toBeNull();
  });
});

describe('signing in', () => {
  it('refuses a wrong password without saying which of the two was wrong', async () => {
    const { person } = await newCustomer();
    page = await openPage();
    await page.goto('/');
    await signIn(page, { email: person.email, password: 'not-the-password' });
    const known = await page.getByRole('alert').innerText();

    await page.goto('/');
    await signIn(page, { email: newPerson().email, password: 'not-the-password' });

    await expect.poll(() => page.getByRole('alert').innerText()).toBe(known);
  });

  it('stops a flood of wrong passwords for one account, with the time to wait', async () => {
    page = await openPage();
    const person = newPerson();
    await page.goto('/');
    for (let attempt = 0; attempt < 11; attempt++) {
      // The next attempt is for the page that answers this one.
      const answered = page.waitForEvent('domcontentloaded');
      await signIn(page, { email: person.email, password: `wrong-${attempt}` });
      await answered;
    }

    await expect.poll(() => page.locator('body').innerText()).toMatch(/try again in \d+ minutes?/i);
  });

  it('a social sign-in makes an account whose identity is not email', async () => {
    page = await openPage();
    const person = newPerson();
    await page.goto('/');
    await page
      .getByRole('button', { name: 'Continue with Google' })
      .or(page.getByRole('link', { name: 'Continue with Google' }))
      .click();
    await page.getByLabel('First name').fill(person.firstName);
    await page.getByLabel('Last name').fill(person.lastName);
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Next' }).click();

    await page.waitForURL('**/email-verification/single');
    await expect.poll(() => page.locator('body').innerText()).toContain(person.email);
  });

  it('as another person in one tab closes the first person’s page in the other, which does nothing as either', async () => {
    ({ page } = await openCustomer('/email-verification/single'));
    const secondTab = await page.context().newPage();
    await secondTab.goto('/account');
    await secondTab.getByRole('region', { name: 'Personal Info' }).waitFor();

    await signOut();
    await page.getByLabel('Password').waitFor();
    const other = await signUp(page);

    await secondTab.getByRole('heading', { name: 'You signed in as someone else' }).waitFor();
    await secondTab.getByText(`You signed in as ${other.email} in another tab.`).waitFor();
    await expect.poll(() => accessibilityProblems(secondTab)).toEqual([]);
    await secondTab.getByRole('button', { name: 'Reload' }).click();
    await secondTab.waitForURL('**/email-verification/single');
    await expect.poll(() => secondTab.locator('body').innerText()).toContain(other.email);
  });

  it('a signed-out visitor of a private page comes back to it, query and all', async () => {
    const { person } = await newCustomer();
    page = await openPage();
    await page.goto('/account?from=mail');
    await signIn(page, person);

    await page.waitForURL('**/account?from=mail');
    expect(page.url()).toBe(`${inject('product').url}/account?from=mail`);
  });
});
