import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

interface Step {
  readonly name: string;
  readonly act: (page: Page) => Promise<void>;
}

const email = 'ada@exists.test';

/** What most customers do, from signing up to signing out. Each step begins where the one before has ended. */
export const mainPath: readonly Step[] = [
  {
    name: 'signs up',
    act: async (page) => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByLabel('First name').fill('Ada');
      await page.getByLabel('Last name').fill('Assayer');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill('plumb-line-and-balance');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.waitForURL('**/email-verification/single');
      await page.getByRole('form').getByText('1,000 credits').waitFor();
    },
  },
  {
    name: 'verifies one address and reads its evidence',
    act: async (page) => {
      // Key by key: React hears nothing of a field that Playwright fills at once in Firefox.
      const field = page.getByPlaceholder('Verify a single email');
      await field.pressSequentially('jane@exists.test');
      await field.press('Enter');
      const row = page.getByRole('row').filter({ hasText: 'jane@exists.test' });
      await row.getByRole('button', { name: /^Valid/ }).click();
      await page.getByRole('button', { name: 'Close evidence' }).click();
    },
  },
  {
    name: 'verifies a file and opens the list',
    act: async (page) => {
      await page.getByRole('button', { name: 'Import email list' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import email list' });
      const contents = 'email\njane@exists.test\nnobody@exists.test\nanyone@catch-all.test\n';
      const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(contents) };
      await dialog.getByLabel('CSV file').setInputFiles(file);
      await dialog.getByRole('button', { name: 'Verify' }).click();
      await page
        .getByRole('dialog', { name: 'Confirm bulk verification' })
        .getByRole('button', { name: 'Confirm' })
        .click();
      await page.getByRole('link', { name: 'people', exact: true }).click();
      const results = page.getByRole('region', { name: 'Results' });
      await results.getByRole('button', { name: /^Valid/ }).click();
      await page.getByRole('button', { name: 'Download 1 email', exact: true }).waitFor();
    },
  },
  {
    name: 'sees what it cost, and the plans',
    act: async (page) => {
      await page.goto('/billing');
      const history = page.getByRole('region', { name: 'credits history' });
      await history.getByRole('row').nth(2).waitFor();
      await page.getByRole('button', { name: 'Compare Plans' }).click();
      await page.getByRole('dialog', { name: 'Compare plans' }).waitFor();
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'creates an API key',
    act: async (page) => {
      await page.goto('/account');
      await page.getByText('You have no API key.').waitFor();
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page
        .getByRole('button', { name: /Reveal|Hide/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'reads and searches the documentation, in the dark',
    act: async (page) => {
      await page.goto('/docs');
      await page.getByLabel('Colour scheme').selectOption('dark');
      assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(18, 21, 30)');
      await page.getByRole('searchbox').fill('signature');
      await page.getByRole('link', { name: 'Check the signature' }).click();
      await page.getByRole('heading', { name: 'Check the signature' }).waitFor();
      await page.getByRole('radio', { name: 'Python' }).first().check({ force: true });
      await page.getByText('class Receiver').waitFor();
    },
  },
  {
    name: 'signs out',
    act: async (page) => {
      await page.getByRole('link', { name: 'Open Assay' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Yes, sign out' }).click();
      await page.getByLabel('Password').waitFor();
    },
  },
];
