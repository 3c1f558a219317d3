import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newPerson, openPage } from '../support/visitor.ts';

let page: Page;
beforeEach(async () => {
  page = await openPage();
});

const security = () => page.getByRole('region', { name: 'Security' });

describe('§6 Social-login users', () => {
  it("come in by Continue with Google, an accessible page; §2 Account page: a read-only row 'Signed in with {provider}' with the creation date, and no password to reset", async () => {
    const person = newPerson();
    await page.goto('/account');
    await page.getByText('Continue with Google', { exact: true }).click();
    await page.getByLabel('First name').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByLabel('First name').fill(person.firstName);
    await page.getByLabel('Last name').fill(person.lastName);
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Next' }).click();

    await page.waitForURL('**/account');
    const row = security().getByRole('listitem').filter({ hasText: 'Signed in with' });
    await row.getByText('Signed in with Google', { exact: true }).waitFor();

    // The day on which this test runs, or the one before should midnight have passed in between.
    const days = [0, 1].map((ago) => dayFormat.format(Date.now() - ago * 86_400_000));
    const text = await row.innerText();
    expect(days.some((day) => text.includes(day))).toBe(true);
    await expect.poll(() => security().getByRole('button', { name: 'Reset Password' }).count()).toBe(0);
    await expect.poll(() => security().getByRole('textbox').count()).toBe(0);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  });
});

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' });
