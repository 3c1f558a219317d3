import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildWorkbook } from '../../../apps/server/src/platform/workbooks/testing/build-workbook.ts';
import { accessibilityProblems } from '../support/accessibility.ts';
import { newCustomer, openCustomer, startList } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';
import { type CsvFile, csvFile, dropOn, importButton, importDialog, offer, previewFile } from './steps.ts';

const twoColumns = csvFile('columns.csv', [
  'Name,Work email,Private',
  'Jane,jane@exists.test,j@catch-all.test',
  'Twice,JANE@exists.test,nobody@exists.test',
  'None,,x@no-such-domain.test',
  'Broken,not-an-address,',
]);
const workbook: CsvFile = {
  name: 'clients.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  text: buildWorkbook([
    { name: 'Notes', rows: [['Made in 2026']] },
    {
      name: 'Clients',
      rows: [
        ['Name', 'Email'],
        ['Jane', 'jane@exists.test'],
      ],
    },
    { name: 'Leads', rows: [['Email'], ['max@exists.test'], ['nobody@exists.test']] },
  ]),
};
const picture = { name: 'cat.png', mimeType: 'image/png', text: 'not a list' };

const confirmButton = (page: Page) => offer(page).getByRole('button', { name: 'Confirm' });
const rowsShown = (page: Page) => offer(page).getByRole('region', { name: 'First rows' });
const dropOnPage = (page: Page, ...files: readonly CsvFile[]) => dropOn(page.locator('main'), ...files);

async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByPlaceholder(label).evaluate((field, pasted) => {
    // Runs in the page, whose types are not those of the tests.
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as {
      DataTransfer: new () => { setData(type: string, text: string): void };
      ClipboardEvent: new (type: string, init: object) => Event;
    };
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function expectSound(page: Page, state: string): Promise<void> {
  expect([state, await accessibilityProblems(page)]).toEqual([state, []]);
  await expect.poll(() => sidewaysOverflow(page), { message: state }).toBe(0);
}

describe.each([
  ['light', 1440],
  ['dark', 390],
] as const)('any file, %s, %i px wide', (colorScheme, width) => {
  it('is shown before it is paid for: rows, column, exclusions and an estimate', async () => {
    const { page } = await openCustomer('/email-verification/bulk', {
      colorScheme,
      viewport: { width, height: 900 },
    });
    await previewFile(page, twoColumns);
    await expect.poll(() => rowsShown(page).locator('th[data-marked]').innerText()).toBe('Work email');
    await expect.poll(() => offer(page).innerText()).toContain('You will be charged up to 1 credit.');

    await offer(page).getByText('Which emails are excluded').click();
    await expect.poll(() => offer(page).innerText()).toMatch(/Duplicated: 1\s+Row 3JANE@exists.test/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      offer(page).getByRole('button', { name: 'Download excluded emails' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('columns - excluded.csv');
    expect(await readFile(await download.path(), 'utf8')).toContain('4,,no_email');

    await offer(page).getByLabel('Email column').selectOption({ value: '3' });
    await offer(page).getByText('You will be charged up to 3 credits.').waitFor();
    await expect.poll(() => rowsShown(page).locator('th[data-marked]').innerText()).toBe('Private');

    await offer(page).getByRole('button', { name: 'Estimate the results for free' }).click();
    await offer(page).getByText('1 email will be invalid: the domain takes no mail.').waitFor();
    await expect
      .poll(() => offer(page).innerText())
      .toContain('only the mail hosts know which mailboxes exist');
    await expectSound(page, 'the offer');

    await offer(page).getByText('columns.csv').click();
    await page.keyboard.press('Enter');
    await expect.poll(() => offer(page).isVisible(), { message: 'Enter confirms nothing' }).toBe(true);
    await confirmButton(page).click();
    await page.getByText('Email verification started for list columns.').waitFor();
    await page.getByRole('link', { name: 'columns', exact: true }).waitFor();
  });

  it('is taken wherever it is dropped, several at once, and pasted addresses too', async () => {
    const { page } = await openCustomer('/email-verification/single', {
      colorScheme,
      viewport: { width, height: 900 },
    });
    await importButton(page).waitFor();
    await dropOnPage(page, picture);
    await importDialog(page).getByText('Please drop a valid CSV file').waitFor();
    await dropOnPage(page, twoColumns, workbook);
    await importDialog(page).getByText('clients.xlsx').waitFor();
    await importDialog(page)
      .getByLabel('Or paste emails')
      .fill('a@exists.test, b@exists.test; Max <max@exists.test>');
    await expectSound(page, 'the import dialog with files');
    await importDialog(page).getByRole('button', { name: 'Verify' }).click();

    await offer(page).getByText('3 files, a list for each').waitFor();
    await expect.poll(() => offer(page).innerText()).toContain('You will be charged up to 5 credits.');
    await offer(page).getByText('clients.xlsx').click();
    await offer(page).getByText('columns.csv').click();
    // Both are read anew, the second before the first is.
    const held = Promise.withResolvers<void>();
    await page.route('**/lists_bulk/validation', (route) => held.promise.then(() => route.continue()));
    await offer(page).getByLabel('Sheet').selectOption('Leads');
    await offer(page).getByLabel('Email column').first().selectOption({ value: '3' });
    held.resolve();
    await offer(page).getByText('You will be charged up to 8 credits.').waitFor();
    await page.unroute('**/lists_bulk/validation');
    await offer(page).getByRole('button', { name: 'Leave out columns.csv' }).click();
    await offer(page).getByText('You will be charged up to 5 credits.').waitFor();
    await expectSound(page, 'the offer for several files');
    await confirmButton(page).click();

    await page.getByText('Email verification started for list Pasted emails.').waitFor();
    await page.getByRole('link', { name: 'clients', exact: true }).waitFor();
    const pasted = page.getByRole('row', { name: /Pasted emails/ });
    await expect.poll(() => pasted.getByRole('cell').nth(1).innerText()).toBe('3');

    await paste(page, 'Verify a single email', 'jane@exists.test\nnobody@exists.test');
    await page.getByText('You pasted 2 emails.').waitFor();
    await expect.poll(() => page.getByPlaceholder('Verify a single email').inputValue()).toBe('');
    await expectSound(page, 'several pasted into the field');
    await page.getByRole('button', { name: 'Verify them as a list' }).click();
    await offer(page).getByText('You will be charged up to 2 credits.').waitFor();
  });
});

it('a file dropped on the page of a list, or on a page without an import, is imported; beside a dialog it is refused', async () => {
  const { api, open } = await newCustomer();
  const { id } = await startList(api, 'first.csv', ['email', 'jane@exists.test']);
  const page = await open(`/email-verification/bulk/${id}`);
  await page.getByRole('heading', { name: 'first', level: 1 }).waitFor();
  // What covers the page goes on below its scroll bar.
  const canvas = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const uncovered = await canvas();
  await page.evaluate(dragOver);
  await page.getByText('Drop to import').waitFor();
  expect(await canvas()).not.toBe(uncovered);
  await dropOnPage(page, twoColumns);
  await importDialog(page).getByText('columns.csv').waitFor();
  expect(new URL(page.url()).pathname).toBe('/email-verification/bulk');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  await dropOnPage(page, twoColumns);
  await importDialog(page).getByText('columns.csv').waitFor();
  expect(new URL(page.url()).pathname).toBe('/email-verification/bulk');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('button', { name: 'Redeem credits' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await page.evaluate<boolean[]>(refusals)).toEqual([true, true]);
  expect(new URL(page.url()).pathname).toBe('/billing');
});

/** Carries a file over the page. */
const dragOver = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['email'], 'dragged.csv'));
  document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
})()`;

/** Whether the page keeps the browser from opening a file that is dragged over it and dropped. */
const refusals = `['dragover', 'drop'].map((type) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['email'], 'dropped.csv'));
  return !document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
})`;
