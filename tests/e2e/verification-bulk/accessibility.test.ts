import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { newCustomer, openCustomer, startList, untilComplete } from '../support/customer.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { sidewaysOverflow } from '../support/visitor.ts';
import { browseFor, csvFile, dropFiles, importButton, importDialog, offer, previewFile } from './steps.ts';

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

const looks = [
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 1280 },
] as const;

/** Looks at the page in two ways, while this part of it is shown. */
async function expectAccessible(shown: Locator): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await shown.waitFor();
    const look = `${shown} ${colorScheme} ${width}`;
    await expect.poll(() => accessibilityProblems(page), { message: look }).toEqual([]);
    await expect.poll(() => sidewaysOverflow(page), { message: look }).toBe(0);
    await expect.poll(() => shown.isVisible(), { message: look }).toBe(true);
  }
}

describe('no accessibility violation and no sideways scrolling, light and wide, dark and narrow', () => {
  it('the import dialog, empty, after a wrong file was dropped, and with a file; the offer, the offer that is short of credits, and a refused file', async () => {
    ({ page } = await openCustomer('/email-verification/bulk'));
    await importButton(page).click();
    await expectAccessible(importDialog(page));
    await dropFiles(page, { name: 'cat.png', mimeType: 'image/png', text: 'x' });
    await expectAccessible(page.getByText('Please drop a valid CSV file'));
    await browseFor(page, mixed);
    await expectAccessible(importDialog(page).getByText('mixed.csv'));
    await cancel(importDialog);

    await previewFile(page, mixed);
    await expectAccessible(offer(page).getByText('You will be charged up to'));
    await cancel(offer);
    await previewFile(page, costly);
    await expectAccessible(offer(page).getByText("You're 1 credit short."));
    await cancel(offer);
    await previewFile(page, csvFile('empty.csv', ['']));
    await expectAccessible(offer(page).getByText('This file is not valid.'));
  });

  it("a list's page with a card selected, its menu, its dialogs, the evidence of a result, and a search without matches", async () => {
    const { api, open } = await newCustomer();
    const { id } = await startList(api, 'mixed.csv', mixedLines);
    await untilComplete(api, id);
    page = await open(`/email-verification/bulk/${id}`);
    await expectAccessible(page.getByRole('img', { name: /completed/ }));

    await page.getByRole('button', { name: /^Valid \d/ }).click();
    await expectAccessible(page.getByRole('button', { name: 'Download 1 email', exact: true }));

    await page.getByRole('button', { name: 'Actions for mixed' }).click();
    await expectAccessible(page.getByRole('menuitem', { name: 'Rename' }));
    await page.keyboard.press('Escape');

    for (const action of ['Rename', 'Delete']) {
      await chooseFromMenu(page, 'mixed', action);
      await expectAccessible(page.getByRole('dialog'));
      await closeDialog();
    }

    await page
      .getByRole('button', { name: /show evidence/ })
      .first()
      .click();
    await expectAccessible(page.getByText('How we know'));
    await page.getByRole('button', { name: 'Close evidence' }).click();

    await page.getByRole('searchbox').fill('nothing like it');
    await expectAccessible(page.getByText('No emails match'));
  });

  it('a list that is still being processed', async () => {
    const { api, open } = await newCustomer();
    const { id } = await startList(api, 'halfway.csv', ['email', 'jane@greylist-never.test']);
    page = await open(`/email-verification/bulk/${id}`);
    await expectAccessible(page.getByText('This list is still being processed'));
  });
});
