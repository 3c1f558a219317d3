import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { newCustomer, openCustomer, startList, untilComplete } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';
import {
  browseFor,
  chooseFromMenu,
  csvFile,
  dropFiles,
  importButton,
  importDialog,
  offer,
  previewFile,
} from './steps.ts';

const mixedLines = [
  ...['email,note', 'jane@exists.test,good', 'nobody@exists.test,none'],
  ...['anyone@catch-all.test,any', 'max@exists.test,full', 'broken,broken', 'JANE@exists.test,twice'],
];
const mixed = csvFile('mixed.csv', mixedLines);
const costly = csvFile('costly.csv', [
  'email',
  ...Array.from({ length: 1_001 }, (_, number) => `jane+${number}@exists.test`),
]);

let page: Page;

const cancel = async (dialog: typeof importDialog) => {
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'hidden' });
};
const closeDialog = async () => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

async function expectAccessible(state: string): Promise<void> {
  expect([state, await accessibilityProblems(page)]).toEqual([state, []]);
  expect([state, await sidewaysOverflow(page)]).toEqual([state, 0]);
}

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('no accessibility violation and no sideways scrolling, %s, %i px wide', (colorScheme, width) => {
  const options = { colorScheme, viewport: { width, height: 900 } };

  it('the import dialog, empty, after a wrong file was dropped, and with a file', async () => {
    ({ page } = await openCustomer('/email-verification/bulk', options));
    await importButton(page).click();
    await importDialog(page).waitFor();
    await expectAccessible('the import dialog');

    await dropFiles(page, { name: 'cat.png', mimeType: 'image/png', text: 'x' });
    await page.getByText('Please drop a valid CSV file').waitFor();
    await expectAccessible('another file than CSV dropped');

    await browseFor(page, mixed);
    await expectAccessible('a file chosen');
  });

  it('the offer, the offer that is short of credits, and a refused file', async () => {
    ({ page } = await openCustomer('/email-verification/bulk', options));
    await previewFile(page, mixed);
    await expectAccessible('the offer');
    await cancel(offer);

    await previewFile(page, costly);
    await expectAccessible('the offer, short of credits');
    await cancel(offer);

    await previewFile(page, csvFile('empty.csv', ['']));
    await expectAccessible('a refused file');
  });

  it("a list's page with a card selected, its menu, its dialogs, the evidence of a result, and a search without matches", async () => {
    const { api, open } = await newCustomer();
    const { id } = await startList(api, 'mixed.csv', mixedLines);
    await untilComplete(api, id);
    page = await open(`/email-verification/bulk/${id}`, options);
    await page.getByRole('img', { name: /completed/ }).waitFor();
    await expectAccessible("a list's page");

    await page.getByRole('button', { name: /^Valid \d/ }).click();
    await expectAccessible('a card selected');

    await page.getByRole('button', { name: 'Actions for mixed' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await expectAccessible('the menu');
    await page.keyboard.press('Escape');

    await chooseFromMenu(page, 'mixed', 'Rename');
    await page.getByRole('dialog').waitFor();
    await expectAccessible('the rename dialog');
    await closeDialog();

    await chooseFromMenu(page, 'mixed', 'Delete');
    await page.getByRole('dialog').waitFor();
    await expectAccessible('the delete dialog');
    await closeDialog();

    await page
      .getByRole('button', { name: /show evidence/ })
      .first()
      .click();
    await page.getByText('How we know').waitFor();
    await expectAccessible('the evidence of a result');
    await page.getByRole('button', { name: 'Close evidence' }).click();

    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No emails match').waitFor();
    await expectAccessible('no emails that match');
  });

  it('a list that is still being processed', async () => {
    const { api, open } = await newCustomer();
    const { id } = await startList(api, 'halfway.csv', ['email', 'jane@greylist-never.test']);
    page = await open(`/email-verification/bulk/${id}`, options);
    await page.getByText('This list is still being processed').waitFor();
    await expectAccessible('a list that is still being processed');
  });
});
