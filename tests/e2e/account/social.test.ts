import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { accessibilityProblems, newPerson, openPage, type Person } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
const person: Person = newPerson();
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser);
});
afterAll(() => browser.close());

const security = () => page.getByRole('region', { name: 'Security' });

// One story, told in order.
describe('§6 Social-login users', () => {
  it('come in by Continue with Google, whose page is fit to be read by everybody', async () => {
    await page.goto('/account');
    await page.getByText('Continue with Google', { exact: true }).click();
    await page.getByLabel('First name').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await page.getByLabel('First name').fill(person.firstName);
    await page.getByLabel('Last name').fill(person.lastName);
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Next' }).click();

    await page.waitForURL('**/account');
  });

  it("§2 Account page: a read-only row 'Signed in with {provider}' with the creation date, and no password to reset", async () => {
    const row = security().getByRole('listitem').filter({ hasText: 'Signed in with' });
    await row.getByText('Signed in with Google', { exact: true }).waitFor();

    // The day on which this test runs, or the one before should midnight have passed in between.
    const days = [0, 1].map((ago) => dayFormat.format(Date.now() - ago * 86_400_000));
    const text = await row.innerText();
    expect(days.some((day) => text.includes(day))).toBe(true);
    expect(await security().getByRole('button', { name: 'Reset Password' }).count()).toBe(0);
    expect(await security().getByRole('textbox').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' });
