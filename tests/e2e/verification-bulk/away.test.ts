import type { RealtimeEvent } from '@assay/contract';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { apiOf, startList as startListByApi, untilComplete } from '../support/customer.ts';
import { gotoAndListen } from '../support/visitor.ts';
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

/** Answers of this address are held back, and say that the list is not complete, as they did before it was. */
async function holdEarlierAnswers(address: RegExp) {
  const held: (() => void)[] = [];
  const firstHeld = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"COMPLETE"', '"PENDING"');
    held.push(() => void route.fulfill({ response, body }).catch(() => {}));
    firstHeld.resolve();
  };
  await page.route(address, hold);
  return {
    firstHeld: firstHeld.promise,
    /** Later requests pass. */
    async release() {
      await page.unroute(address, hold);
      for (const answer of held) answer();
    },
  };
}

it('a list that completes while its page loads for the first time is complete on the page, whatever the first answer says', async () => {
  const api = await apiOf(page);
  const { id } = await startListByApi(api, 'slow page.csv', ['email', 'jane@exists.test']);
  await untilComplete(api, id);
  let tell = (_event: RealtimeEvent) => {};
  await page.routeWebSocket('**/api/realtime', (socket) => {
    socket.connectToServer();
    tell = (event) => socket.send(JSON.stringify(event));
  });
  const answers = await holdEarlierAnswers(new RegExp(`/api/validations/lists/${id}$`));
  await gotoAndListen(page, '/email-verification/bulk');
  await page.getByRole('link', { name: 'slow page', exact: true }).click();
  await answers.firstHeld;

  tell({ event_type: 'list_complete', event_metadata: { list_id: id, progress: 100 } });
  await page.getByText('List verification successful!').waitFor();
  await answers.release();

  await page.getByRole('region', { name: 'Results' }).waitFor();
  expect(await page.getByText('This list is still being processed').count()).toBe(0);
});

it('a list that completes while the single tab loads the lists is complete in its own tab', async () => {
  const answers = await holdEarlierAnswers(/\/api\/validations\/lists\?/);
  await gotoAndListen(page, '/email-verification/single');
  await answers.firstHeld;

  await page.getByRole('tab', { name: /^Bulk verifications/ }).click();
  await page.waitForURL('**/email-verification/bulk');
  await page.getByRole('region', { name: 'bulk verifications' }).waitFor();
  await answers.release();

  const row = page.getByRole('row', { name: /^slow page/ });
  await row.getByRole('img', { name: 'Complete' }).waitFor();
});
