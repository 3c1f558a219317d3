import { readFile } from 'node:fs/promises';
import type { Client } from '@assay/client';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { newCustomer } from '../support/customer.ts';
import { cutOffAtAnyWidth, rowsInView, sidewaysOverflow } from '../support/visitor.ts';

const singleCount = 54;
/** Every fourth is unknown, which costs nothing. */
const freeCount = 14;

let page: Page;

/** More entries than fit on a page of the largest size. */
async function fillHistory(api: Client): Promise<void> {
  for (let begin = 0; begin < singleCount; begin += 8) {
    const numbers = Array.from({ length: Math.min(8, singleCount - begin) }, (_, index) => begin + index);
    await Promise.all(
      numbers.map((number) =>
        api.validations.startSingle({
          // Every fourth is unknown, which costs nothing and is in the history all the same.
          body: {
            email_address: number % 4 === 0 ? `max+${number}@exists.test` : `jane+${number}@exists.test`,
          },
        }),
      ),
    );
  }
  await vi.waitFor(
    async () => {
      const { total } = await api.billing.listTransactions({ query: { page_size: 10, page_number: 1 } });
      if (total <= singleCount) throw new Error(`${total} entries so far`);
    },
    { timeout: 120_000, interval: 250 },
  );
}

const grid = () => page.getByRole('region', { name: 'credits history' });
const pages = () => page.getByRole('navigation', { name: 'Pages' });
const range = (text: string) => pages().getByText(text, { exact: true });
const numberOf = (text: string) => Number(text.replaceAll(',', ''));

/** The rows of the page before, or empty ones, stay until the next ones are there. */
const rowsAreThere = () => page.locator('[data-status="complete"]').filter({ has: grid() }).waitFor();

/** Amount and balance of each row that is shown, newest first. */
async function shownRows(): Promise<{ amount: number; balance: number }[]> {
  const rows = await grid().getByRole('row').all();
  return Promise.all(
    rows.slice(1).map(async (row) => {
      const cells = await row.getByRole('cell').allInnerTexts();
      return { amount: numberOf(cells[3] ?? ''), balance: numberOf(cells[4] ?? '') };
    }),
  );
}

describe('§2 Billing page: Credits history', () => {
  it('entries of 0 are hidden at first; filters by type and source; the selection as CSV; §9 pages of 10, 25 and 50, newest first; the balance column adds up from row to row and from page to page; accessible when it is full', async () => {
    const { api, open } = await newCustomer();
    await fillHistory(api);
    page = await open('/billing');
    await grid()
      .getByText(`${singleCount - freeCount} single verifications`)
      .waitFor();
    await page.getByLabel('Show each single check').check();
    await range(`1–10 of ${singleCount + 1 - freeCount}`).waitFor();
    await rowsAreThere();
    expect((await shownRows()).filter(({ amount }) => amount === 0)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => rowsInView(page, 'credits history')).toBeGreaterThanOrEqual(7);
    await page.getByLabel('Type').selectOption('Credits granted');
    await range('1–1 of 1').waitFor();
    await page.getByLabel('Type').selectOption('All types');
    await page.getByLabel('Source').selectOption('List');
    await page.getByText('No entries match these filters.').waitFor();
    await page.getByLabel('Source').selectOption('All sources');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + singleCount + 1 - freeCount);
    await page.getByLabel('Show entries of 0').check();
    await range(`1–10 of ${singleCount + 1}`).waitFor();

    await expect.poll(() => grid().getByRole('row').count()).toBe(11);
    await pages().getByText('Page 1 of 6').waitFor();

    await pages().getByLabel('Rows per page').selectOption('25');
    await range(`1–25 of ${singleCount + 1}`).waitFor();
    await expect.poll(() => grid().getByRole('row').count()).toBe(26);

    await pages().getByLabel('Rows per page').selectOption('50');
    const all: { amount: number; balance: number }[] = [];
    for (const [shown, count] of [
      [`1–50 of ${singleCount + 1}`, 50],
      [`51–55 of ${singleCount + 1}`, 5],
    ] as const) {
      await range(shown).waitFor();
      await expect.poll(() => grid().getByRole('row').count()).toBe(count + 1);
      await rowsAreThere();
      all.push(...(await shownRows()));
      const next = page.getByRole('button', { name: 'Next page' });
      if (await next.isEnabled()) await next.click();
    }

    expect(all).toHaveLength(singleCount + 1);
    const { balance: now } = await api.billing.getWallet();
    expect(all[0]?.balance).toBe(now);
    all.forEach(({ amount, balance }, index) => {
      expect(balance - amount).toBe(all[index + 1]?.balance ?? 0);
    });
    expect(all.filter(({ amount }) => amount === 0)).not.toHaveLength(0);

    await page.getByRole('button', { name: 'Previous page' }).click();
    await range(`1–50 of ${singleCount + 1}`).waitFor();
    await expect.poll(() => grid().getByRole('row').count()).toBe(51);
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 860 });
      expect([colorScheme, width, await accessibilityProblems(page)]).toEqual([colorScheme, width, []]);
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    }
    await expect.poll(() => cutOffAtAnyWidth(page)).toEqual([]);
  });
});
