import { describe, expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer, openCustomer } from '../support/customer.ts';
import { downloadedLines } from '../support/downloads.ts';
import { sidewaysOverflow } from '../support/visitor.ts';
import { csvFile, offer, previewFile } from '../verification-bulk/steps.ts';

describe.each([
  ['light', 1440],
  ['dark', 390],
] as const)('suppression, %s, %i px wide', (colorScheme, width) => {
  it('is added to, searched, imported, downloaded and removed from', async () => {
    const customer = await newCustomer();
    const page = await customer.open('/account', { colorScheme, viewport: { width, height: 900 } });
    await page.getByRole('link', { name: 'View suppressions' }).click();
    await page.getByText('Nothing is suppressed').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Suppress' }).click();
    await dialog.getByText('Enter an address or a domain').waitFor();
    await dialog.getByRole('textbox', { name: 'Addresses or domains' }).fill('not one\nJane@exists.test');
    await dialog.getByRole('button', { name: 'Suppress' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/neither an address nor a domain/)
      .waitFor();
    await dialog
      .getByRole('textbox', { name: 'Addresses or domains' })
      .fill('Jane@exists.test, max@exists.test\ngone.example');
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Complaint');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Suppress' }).click();
    await page.getByText('3 added.').waitFor();
    await page.getByText('jane@exists.test').waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('searchbox', { name: 'Search suppressions' }).fill('gone');
    await page.getByText('jane@exists.test').waitFor({ state: 'hidden' });
    await page.getByRole('searchbox', { name: 'Search suppressions' }).fill('nobody at all');
    await page.getByText('No suppression matches').waitFor();
    await page.getByRole('button', { name: 'Show all suppressions' }).click();
    await page.getByText('jane@exists.test').waitFor();

    await page.getByLabel('CSV file of suppressions').setInputFiles({
      name: 'whom.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,reason\nnew@exists.test,unsubscribed\nnothing here,\nmax@exists.test,\n'),
    });
    const result = page.getByRole('dialog', { name: 'Import finished' });
    await result.getByText('1 added, 1 already there.').waitFor();
    await result.getByText('Row 3, “nothing here”').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await result.getByRole('button', { name: 'Understood' }).click();
    // Browsers do not notice that a file is chosen again, unless the field is empty.
    await expect.poll(() => page.getByLabel('CSV file of suppressions').inputValue()).toBe('');
    await page.getByText('new@exists.test').waitFor();
    const lines = await downloadedLines(page, () =>
      page.getByRole('button', { name: 'Download CSV' }).click(),
    );
    expect(lines[0]).toBe('target,kind,reason,source,creation_date,end_date');
    expect(lines).toHaveLength(5);

    await page.getByRole('button', { name: /jane@exists\.test/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Remove suppression' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Removed. It is asked again from now on.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /jane@exists\.test/ }).count()).toBe(0);
    const { total } = await customer.api.suppressions.listSuppressions({ query: {} });
    expect(total).toBe(3);
  });

  it('shows before paying which emails of a file are left out, and answers a single check at once', async () => {
    const { api, page } = await openCustomer('/email-verification/bulk', {
      colorScheme,
      viewport: { width, height: 900 },
    });
    await api.suppressions.addSuppressions({ body: { entries: [{ target: 'jane@exists.test' }] } });
    await previewFile(page, csvFile('people.csv', ['email', 'jane@exists.test', 'a@catch-all.test']));
    await offer(page).getByText('1 suppressed').waitFor();
    await offer(page).getByText('You will be charged up to').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.goto('/email-verification/single');
    await page.getByPlaceholder('Verify a single email').fill('jane@exists.test');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row').filter({ hasText: 'jane@exists.test' });
    await row.getByText('Unknown').waitFor();
    await row.getByRole('button', { name: /Unknown/ }).click();
    await page.getByText('its mail host was not asked', { exact: false }).first().waitFor();
  });
});
