import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { csvFile, openCustomer, startList } from './steps.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openCustomer(browser);
});
afterAll(() => browser.close());

it('a list that completes while the single tab is open is complete when its own tab is opened again', async () => {
  // One of the two is unknown, so the balance says when the list is settled: two are held, one is charged.
  await startList(page, csvFile('away.csv', ['email', 'jane@tarpit.test', 'max@exists.test']));
  const row = page.getByRole('row', { name: /^away/ });
  await row.getByRole('progressbar', { name: 'Progress of away' }).waitFor();
  await page.getByRole('tab', { name: /^Single verifications/ }).click();
  await page.waitForURL('**/email-verification/single');
  await page.getByTitle('999 credits').first().waitFor();

  await page.getByRole('tab', { name: /^Bulk verifications/ }).click();

  await row.getByRole('img', { name: 'Complete' }).waitFor();
  expect(await row.getByRole('progressbar').count()).toBe(0);
});
