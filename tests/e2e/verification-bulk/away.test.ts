import type { RealtimeEvent } from '@assay/contract';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newCustomer, startList as startListByApi, untilComplete } from '../support/customer.ts';
import { gotoAndListen } from '../support/visitor.ts';
import { csvFile, openBulkPage, startList } from './steps.ts';

let page: Page;

/** A complete list of a new customer, whose browser is not on any page yet. */
async function openWithList(name: string): Promise<string> {
  const { api, open } = await newCustomer();
  const { id } = await startListByApi(api, `${name}.csv`, ['email', 'jane@exists.test']);
  await untilComplete(api, id);
  page = await open('about:blank');
  return id;
}

it('a list that completes while the single tab is open is complete when its own tab is opened again', async () => {
  page = await openBulkPage();
  // One of the two is unknown, so the balance says when the list is settled: two are held, one is charged.
  await startList(page, csvFile('away.csv', ['email', 'jane@tarpit.test', 'max@exists.test']));
  const row = page.getByRole('row', { name: /away/ });
  await row.getByRole('progressbar', { name: 'Progress of away' }).waitFor();
  await page.getByRole('tab', { name: /^Single verifications/ }).click();
  await page.waitForURL('**/email-verification/single');
  await page.getByTitle('999 credits').first().waitFor();

  await page.getByRole('tab', { name: /^Bulk verifications/ }).click();

  await row.getByRole('img', { name: 'Complete' }).waitFor();
  await expect.poll(() => row.getByRole('progressbar').count()).toBe(0);
});

/** Answers of this address are held back, and say that the list is not complete, as they did before it was. */
async function holdEarlierAnswers(address: RegExp) {
  const firstHeld = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHolding = true;
  await page.route(address, async (route) => {
    if (!isHolding) return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"COMPLETE"', '"PENDING"');
    firstHeld.resolve();
    await released.promise;
    // The page may have cancelled the request by now.
    await route.fulfill({ response, body }).catch(() => {});
  });
  return {
    firstHeld: firstHeld.promise,
    /** Requests that begin from now on are answered by the server. */
    letLaterPass: () => {
      isHolding = false;
    },
    release: () => released.resolve(),
  };
}

it('a list that completes while its page loads for the first time is complete on the page, whatever the first answer says', async () => {
  const id = await openWithList('slow page');
  let tell = (_event: RealtimeEvent) => {};
  await page.routeWebSocket('**/api/realtime', (socket) => {
    socket.connectToServer();
    tell = (event) => socket.send(JSON.stringify(event));
  });
  const answers = await holdEarlierAnswers(new RegExp(`/api/validations/lists/${id}$`));
  await gotoAndListen(page, '/email-verification/bulk');
  await page.getByRole('link', { name: 'slow page', exact: true }).click();
  await answers.firstHeld;
  answers.letLaterPass();

  tell({ event_type: 'list_complete', event_metadata: { list_id: id, progress: 100 } });
  await page.getByText('List verification successful!').waitFor();
  answers.release();

  await page.getByRole('region', { name: 'Results' }).waitFor();
  await expect.poll(() => page.getByText('This list is still being processed').count()).toBe(0);
});

it('a list that completes while the single tab loads the lists is complete in its own tab', async () => {
  await openWithList('slow page');
  const answers = await holdEarlierAnswers(/\/api\/validations\/lists\?/);
  await gotoAndListen(page, '/email-verification/single');
  await answers.firstHeld;
  answers.letLaterPass();

  await page.getByRole('tab', { name: /^Bulk verifications/ }).click();
  await page.waitForURL('**/email-verification/bulk');
  await page.getByRole('region', { name: 'bulk verifications' }).waitFor();
  answers.release();

  const row = page.getByRole('row', { name: /slow page/ });
  await row.getByRole('img', { name: 'Complete' }).waitFor();
});
