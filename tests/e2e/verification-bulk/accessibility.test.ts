import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { accessibilityProblems, sidewaysOverflow } from '../support/visitor.ts';
import {
  browseFor,
  chooseFromMenu,
  completeList,
  csvFile,
  dropFiles,
  importButton,
  importDialog,
  offer,
  openCustomer,
  openList,
  previewFile,
  startList,
} from './steps.ts';

const mixed = csvFile('mixed.csv', [
  ...['email,note', 'jane@exists.test,good', 'nobody@exists.test,none'],
  ...['anyone@catch-all.test,any', 'max@exists.test,full', 'broken,broken', 'JANE@exists.test,twice'],
]);
const costly = csvFile('costly.csv', [
  'email',
  ...Array.from({ length: 1_001 }, (_, number) => `jane+${number}@exists.test`),
]);

let browser: Browser;
let page: Page;
let listPath: string;

const cancel = async (dialog: typeof importDialog) => {
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'hidden' });
};
const goTo = async (path: string) => {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

/** Each state of the import and of a list's page: how to get there, and back. */
const states: Readonly<Record<string, { enter: () => Promise<void>; leave?: () => Promise<void> }>> = {
  'the import dialog': {
    enter: async () => {
      await goTo('/email-verification/bulk');
      await importButton(page).click();
      await importDialog(page).waitFor();
    },
  },
  'something else than a CSV file dropped': {
    enter: async () => {
      await dropFiles(page, { name: 'cat.png', mimeType: 'image/png', text: 'x' });
      await page.getByText('Please drop a valid CSV file').waitFor();
    },
  },
  'a file chosen': { enter: () => browseFor(page, mixed), leave: () => cancel(importDialog) },
  'the offer': { enter: () => previewFile(page, mixed), leave: () => cancel(offer) },
  'the offer, short of credits': { enter: () => previewFile(page, costly), leave: () => cancel(offer) },
  'a refused file': {
    enter: () => previewFile(page, csvFile('empty.csv', [''])),
    leave: () => cancel(offer),
  },
  "a list's page": {
    enter: async () => {
      await goTo(listPath);
      await page.getByRole('img', { name: /completed/ }).waitFor();
    },
  },
  'a card selected': { enter: () => page.getByRole('button', { name: /^Valid \d/ }).click() },
  'the menu': {
    enter: async () => {
      await page.getByRole('button', { name: 'Actions for mixed' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    },
    leave: () => page.keyboard.press('Escape'),
  },
  'the rename dialog': {
    enter: () => chooseFromMenu(page, 'mixed', 'Rename'),
    leave: () => page.keyboard.press('Escape'),
  },
  'the delete dialog': {
    enter: () => chooseFromMenu(page, 'mixed', 'Delete'),
    leave: () => page.keyboard.press('Escape'),
  },
  'the evidence of a result': {
    enter: async () => {
      await page
        .getByRole('button', { name: /show evidence/ })
        .first()
        .click();
      await page.getByText('How we know').waitFor();
    },
    leave: () => page.getByRole('button', { name: 'Close evidence' }).click(),
  },
  'no emails that match': {
    enter: async () => {
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByText('No emails match').waitFor();
    },
  },
  'a list that is still being processed': {
    enter: async () => {
      await goTo('/email-verification/bulk');
      await startList(page, csvFile('halfway.csv', ['email', 'jane@greylist-never.test']));
      await openList(page, 'halfway');
      await page.getByText('This list is still being processed').waitFor();
    },
  },
};

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('nothing for an accessibility checker to find, %s, %i px wide', (colorScheme, width) => {
  beforeAll(async () => {
    browser ??= await launchBrowser();
    page = await openCustomer(browser, { colorScheme, viewport: { width, height: 900 } });
    await completeList(page, mixed);
    listPath = new URL(page.url()).pathname;
  });
  afterAll(() => page.context().close());

  it.each(Object.keys(states))('%s', async (name) => {
    const state = states[name];
    try {
      await state?.enter();
      await motionIsOver();

      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await sidewaysOverflow(page)).toBe(0);
    } finally {
      await state?.leave?.();
    }
  });
});
afterAll(() => browser.close());

/** What fades in is measured at its full contrast; what turns for ever is not waited for. */
const motionIsOver = () =>
  page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
      .map(({ finished }) => finished),
  ).then(() => undefined)`);
