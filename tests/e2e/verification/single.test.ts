import type { Client } from '@assay/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { apiOf } from '../support/customer.ts';
import { accessibilityProblems, openPage, sidewaysOverflow, signUp } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
let api: Client;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser);
  await signUp(page);
  api = await apiOf(page);
});
afterAll(() => browser.close());

const field = () => page.getByPlaceholder('Verify a single email');
const message = (text: string) => page.getByText(text, { exact: true });
const rowOf = (address: string) => page.getByRole('row').filter({ hasText: address });
const balance = async () => (await api.billing.getWallet()).balance;
const pathAndSearch = () => {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
};

/** What is used of a drawing in the page, whose types are not those of the tests. */
interface Drawing {
  getAnimations(options: { subtree: boolean }): {
    readonly effect: { getComputedTiming(): { readonly iterations: number } };
  }[];
}

/** How often each movement of a drawing is repeated. */
const turnsOf = (drawing: Drawing): number[] =>
  drawing.getAnimations({ subtree: true }).map(({ effect }) => effect.getComputedTiming().iterations);

async function verify(address: string): Promise<void> {
  await field().fill(address);
  await field().press('Enter');
  await message(`Email verification started for email ${address}.`).waitFor();
}

async function expectAccessible(): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page)).toEqual([]);
  }
}

describe('somebody who has verified nothing yet', () => {
  it('§2 sees both tabs with their totals, the balance in the field, and what is empty in words', async () => {
    await page.getByRole('tab', { name: 'Single verifications (0)' }).waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications (0)' }).waitFor();
    await page.getByRole('button', { name: 'Import email list' }).waitFor();
    await message('No available data to display.').waitFor();
    await message('No verified emails yet.').waitFor();

    expect(await page.getByRole('form', { name: 'Verify a single email' }).innerText()).toContain(
      '1,000 credits',
    );
    await expectAccessible();
  });

  it('§5 is told Enter a valid email, which goes away while the address becomes one', async () => {
    await field().fill('jane@');
    expect(await message('Enter a valid email').count()).toBe(0);
    await field().press('Enter');
    await message('Enter a valid email').waitFor();
    await expectAccessible();

    await field().pressSequentially('exists.test');

    await message('Enter a valid email').waitFor({ state: 'detached' });
    expect((await api.validations.listSingles()).total).toBe(0);
    await field().fill('');
  });
});

describe('one address', () => {
  it.each([
    ['jane@exists.test', 'Valid', 'Verification successful! Valid email', 'success', 1],
    ['nobody@exists.test', 'Invalid', 'Verification successful! Invalid email', 'warning', 1],
    ['anyone@catch-all.test', 'Catch all', 'Verification successful! Catch all email', 'warning', 1],
    ['max@exists.test', 'Unknown', 'Verification successful! Unknown email', 'warning', 0],
  ] as const)(
    '§4 %s is %s, with its message, and costs what is due',
    async (address, word, told, tone, cost) => {
      const before = await balance();

      await verify(address);
      await page.locator(`[data-tone="${tone}"]`, { hasText: told }).waitFor();
      await rowOf(address)
        .getByRole('button', { name: `${word}, show evidence` })
        .waitFor();

      expect(await field().inputValue()).toBe('');
      expect(await balance()).toBe(before - cost);
      const shown = `${(before - cost).toLocaleString('en-US')} credits`;
      await page.getByRole('form').getByText(shown).waitFor();
    },
  );

  it('§2 Single tab grid: File name with the address, Status, Result, Date as MMM DD, YYYY', async () => {
    const grid = page.getByRole('region', { name: 'single verifications' });
    expect(await grid.getByRole('columnheader').allInnerTexts()).toEqual([
      ...['File name', 'Status', 'Result', 'Date'],
    ]);
    const cells = await rowOf('jane@exists.test').getByRole('cell').allInnerTexts();
    expect(cells[0]).toBe('jane@exists.test');
    expect(cells[1]).toBe('Complete');
    expect(cells[3]).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
  });

  it('§2 while it is under way: a spinner and Verifying...', async () => {
    await verify('jane@greylist-5m.test');

    const result = rowOf('jane@greylist-5m.test').locator('[data-verdict="PENDING"]');
    await result.getByText('Verifying...', { exact: true }).waitFor();
    expect(await result.locator('svg').evaluate(turnsOf)).toEqual([Number.POSITIVE_INFINITY]);
    expect((await api.validations.listSingles()).results[0]?.status).not.toBe('COMPLETE');
  });

  it('§2 the metrics chart counts it: donut, legend with its note, and the points of the line', async () => {
    const panel = page.getByRole('region', { name: 'Emails verified' });
    await panel
      .getByRole('img', { name: '5 emails: Pending 1, Valid 1, Invalid 1, Catch all 1, Unknown 1' })
      .waitFor();

    expect(await panel.getByRole('listitem').allInnerTexts()).toEqual([
      ...['Pending', 'Valid', 'Invalid', 'Catch all', 'Unknown *'].map((word) =>
        expect.stringContaining(word),
      ),
    ]);
    await panel.getByText("* You won't be charged for unknown emails", { exact: true }).waitFor();
    await panel.locator('table', { hasText: 'Emails verified last week' }).waitFor({ state: 'attached' });
    expect(await panel.locator('tbody tr').count()).toBe(7);
    expect(await panel.locator('tbody tr').last().locator('td').textContent()).toBe('5');
    // §9: six of a week's seven days are named.
    await expect.poll(() => panel.locator('.recharts-xAxis .recharts-cartesian-axis-tick').count()).toBe(6);
    await expectAccessible();
  });

  it.each([
    ['MONTH', 'Emails verified last month', 'DAY', 30, 12],
    ['YEAR', 'Emails verified last year', 'MONTH', 12, 12],
    ['WEEK', 'Emails verified last week', 'DAY', 7, 6],
  ])('§9 range %s: %s by %s, dates sent as ISO with offset, its ticks labelled', async (...row) => {
    const [range, label, groupBy, points, ticks] = row;
    const asked = page.waitForRequest(
      (request) => request.url().includes('/lists/metrics') && request.url().includes(`group_by=${groupBy}`),
    );
    await page.getByLabel('Range of the chart').selectOption({ label });
    expect(await page.getByLabel('Range of the chart').inputValue()).toBe(range);

    const query = new URL((await asked).url()).searchParams;
    for (const name of ['from_date', 'to_date']) {
      expect(query.get(name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
    }
    const table = page.locator('table', { hasText: label });
    await table.waitFor({ state: 'attached' });
    expect(await table.locator('tbody tr').count()).toBe(points);
    await expect
      .poll(() => page.locator('.recharts-xAxis .recharts-cartesian-axis-tick').count())
      .toBe(ticks);
  });
});

describe('why a result is what it is', () => {
  it('the reason in words is shown to whoever points at the result', async () => {
    await rowOf('nobody@exists.test').getByRole('button').hover();

    await page
      .getByRole('tooltip')
      .getByText('The mail host says that this mailbox does not exist.')
      .waitFor();
  });

  it('the evidence names every step: host, address, its own words and the time', async () => {
    await rowOf('nobody@exists.test').getByRole('button').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('550 5.1.1').waitFor();

    const words = await panel.innerText();
    expect(words).toContain('nobody@exists.test');
    expect(words).toContain('no_such_mailbox');
    expect(words).toMatch(/mx\.exists\.test · 127\.77\.\d+\.\d+/);
    expect(words).toMatch(/(\d+|< 1) ms/);
    expect(words).toMatch(/Disposable\s*No/);
    await expectAccessible();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });

  it('an unknown result says that it was free', async () => {
    await rowOf('max@exists.test').getByRole('button').click();
    await page.getByRole('dialog').getByText('You were not charged for it.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});

describe('many addresses', () => {
  it('§2 tabs navigate to the matching route', async () => {
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.waitForURL('**/email-verification/bulk');
    await page.getByText('No lists yet').waitFor();
    await expectAccessible();
    await page.getByRole('tab', { name: 'Single verifications' }).click();
    await page.waitForURL('**/email-verification/single');
  });

  it('§9 pages of 10, 25 or 50 stay in the address, over a reload and a visit to the other tab', async () => {
    const addresses = Array.from({ length: 22 }, (_, number) => `page${number}@exists.test`);
    await Promise.all(
      addresses.map((address) => api.validations.startSingle({ body: { email_address: address } })),
    );
    await page.reload();
    await page.getByText('1–10 of 27').waitFor();

    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('11–20 of 27').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single?page=2');
    await page.reload();
    await page.getByText('11–20 of 27').waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('tab', { name: 'Single verifications' }).click();
    await page.getByText('11–20 of 27').waitFor();

    await page.getByLabel('Rows per page').selectOption('25');
    await page.getByText('1–25 of 27').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single?page_size=25');
    expect(await page.getByLabel('Rows per page').locator('option').allInnerTexts()).toEqual([
      ...['10', '25', '50'],
    ]);
  });

  it('§3 starting one from the other tab goes to the singles and resets their pages', async () => {
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('26–27 of 27').waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();

    await verify('popular@exists.test');

    await page.getByText('1–10 of 28').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single');
    await rowOf('popular@exists.test').getByRole('button', { name: 'Valid, show evidence' }).waitFor();
  });

  it('a page beyond the last one leads to the last', async () => {
    await page.goto('/email-verification/single?page=99');

    await page.getByText('21–28 of 28').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single?page=3');
  });

  it('reads on a telephone, in both schemes, without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('21–28 of 28').waitFor();

    expect(await sidewaysOverflow(page)).toBe(0);
    await expectAccessible();
  });
});

describe('an address whose domain is not in ASCII', () => {
  it('is shown as it was typed, in the message and in the grid', async () => {
    await page.goto('/email-verification/single');
    await verify('jane@bücher.test');

    await rowOf('jane@bücher.test').waitFor();
  });
});
