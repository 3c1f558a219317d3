import type { Client } from '@assay/client';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer } from '../support/customer.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { rowsInView, sidewaysOverflow } from '../support/visitor.ts';

let page: Page;
let api: Client;

/** Opens the page of a new customer who has started these checks, once those that end soon are complete. */
async function open(path: string, { complete = [], started = [] }: Started = {}): Promise<void> {
  const customer = await newCustomer();
  api = customer.api;
  for (const address of [...complete, ...started]) {
    await api.validations.startSingle({ body: { email_address: address } });
  }
  await vi.waitFor(
    async () => {
      const { results } = await api.validations.listSingles({ query: { page_size: 50, page_number: 1 } });
      const open = results.filter(
        ({ email_address, status }) => complete.includes(email_address) && status !== 'COMPLETE',
      );
      if (open.length > 0) throw new Error(`${open.length} checks are not complete`);
    },
    { timeout: 120_000, interval: 100 },
  );
  page = await customer.open(path);
}

interface Started {
  readonly complete?: readonly string[];
  readonly started?: readonly string[];
}
const manyAddresses = (count: number) =>
  Array.from({ length: count }, (_, number) => `page${number}@exists.test`);

const field = () => page.getByPlaceholder('Verify a single email');
const message = (text: string) => page.getByText(text, { exact: true });
const rowOf = (address: string) => page.getByRole('row').filter({ hasText: address });
const evidenceOf = (address: string) => rowOf(address).getByRole('button', { name: /show evidence$/ });
const balance = async () => (await api.billing.getWallet()).balance;
const latest = () => page.getByRole('region', { name: 'Latest result' });
const inView = () => rowsInView(page, 'single verifications');
const pathAndSearch = () => {
  const { pathname, search } = new URL(page.url());
  return `${pathname}${search}`;
};

/** The part of an SVG element that we use; tests have no DOM types. */
interface Drawing {
  getAnimations(options: { subtree: boolean }): {
    readonly effect: { getComputedTiming(): { readonly iterations: number } };
  }[];
}

/** How often each movement of a drawing is repeated. */
const turnsOf = (drawing: Drawing): number[] =>
  drawing.getAnimations({ subtree: true }).map(({ effect }) => effect.getComputedTiming().iterations);

/** The labels below the line: days or months, where the labels beside it are numbers. */
const ticks = (within: Page | Locator) =>
  within.locator('svg text').filter({ hasText: /^[A-Z][a-z]{2} ?\d/ });

/** The smallest gap between two labels below the line, in px; -1 if one is tilted or cut off. Runs in the page. */
const closestLabels = `(() => {
  const chart = document.querySelector('[role="slider"]').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('[role="slider"] text[text-anchor="middle"]')].map((label) => label.getBoundingClientRect());
  const isCut = ({ left, right, bottom, height }) =>
    height > 30 || left < chart.left || right > chart.right || bottom > chart.bottom;
  if (boxes.some(isCut)) return -1;
  return Math.min(...boxes.slice(1).map(({ left }, index) => left - boxes[index].right));
})()`;

/** How much wider the field is than its placeholder, in px. Runs in the page. */
const placeholderRoom = `(() => {
  const field = document.querySelector('input[placeholder="Verify a single email"]');
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = font;
  const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return room - pen.measureText(field.placeholder).width;
})()`;

/** How many px of the words of the button for the chart are cut off. Runs in the page. */
const chartButtonCut = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
  document.querySelector('section[aria-label="Emails verified"] button .mantine-Button-label'))`;

/** Two events that wait while the page is busy come one right after the other. */
const pressTwice = (field: { form: { querySelector(selector: string): { click(): void } } }) => {
  const button = field.form.querySelector('button[type=submit]');
  button.click();
  queueMicrotask(() => button.click());
};

async function verify(address: string): Promise<void> {
  await field().fill(address);
  await field().press('Enter');
  await message(`Email verification started for email ${address}.`).waitFor();
}

describe('a customer who has verified nothing yet', () => {
  it('§2 sees both tabs with their totals, which navigate to the matching route, the balance in the field, and texts for what is empty; §5 sees Enter a valid email, which goes away while the address becomes one', async () => {
    await open('/email-verification/single');
    await page.getByRole('tab', { name: 'Single verifications (0)' }).waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications (0)' }).waitFor();
    await page.getByRole('button', { name: 'Import email list' }).waitFor();
    await message('No available data to display.').waitFor();
    await message('No verified emails yet.').waitFor();

    await expect
      .poll(() => page.getByRole('form', { name: 'Verify a single email' }).innerText())
      .toContain('1,000 credits');
    await expectAccessibleInBothSchemes(page);

    // The text does not jump when the tab changes.
    const topOf = async (text: string) => (await message(text).boundingBox())?.y;
    const single = await topOf('No single verifications yet');
    await page.getByRole('tab', { name: 'Bulk verifications (0)' }).click();
    await message('No lists yet').waitFor();
    expect(single).toBeGreaterThan(0);
    await expect.poll(() => topOf('No lists yet')).toBe(single);
    expect(pathAndSearch()).toBe('/email-verification/bulk');
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('tab', { name: 'Single verifications' }).click();
    await page.waitForURL('**/email-verification/single');

    // The first steps of a new customer: each leads on, and they can be hidden for good.
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('button', { name: 'Check one email' }).click();
    await expect.poll(() => page.locator(':focus').getAttribute('placeholder')).toBe('Verify a single email');
    // They come before the empty chart.
    const topOfRegion = async (name: string) =>
      (await page.getByRole('region', { name }).boundingBox())?.y ?? 0;
    await expect.poll(() => topOfRegion('First steps')).toBeLessThan(await topOfRegion('Emails verified'));
    // The sample list has all four results, and costs nothing.
    await steps.getByRole('button', { name: 'Import the sample list' }).click();
    await message('Email verification started for list Sample list.').waitFor();
    await page.getByRole('heading', { name: 'Sample list', level: 1 }).waitFor();
    const cards = page.getByRole('region', { name: 'Results' }).locator('[aria-pressed]');
    await expect
      .poll(async () => (await cards.allInnerTexts()).map((text) => text.split('\n')[0]))
      .toEqual(['Valid', 'Invalid', 'Catch all', 'Unknown']);
    expect(await balance()).toBe(1_000);
    await page.goto('/email-verification/single');
    await steps
      .getByRole('listitem')
      .filter({ hasText: 'Import the sample list' })
      .getByLabel('Done')
      .waitFor();
    await steps.getByRole('button', { name: 'Hide first steps' }).click();
    await steps.waitFor({ state: 'hidden' });

    await field().fill('jane@');
    await expect.poll(() => message('Enter a valid email').count()).toBe(0);
    await field().press('Enter');
    await message('Enter a valid email').waitFor();
    await expectAccessibleInBothSchemes(page);

    await field().pressSequentially('exists.test');

    await message('Enter a valid email').waitFor({ state: 'detached' });
    expect((await api.validations.listSingles()).total).toBe(0);
  });
});

describe('single addresses', () => {
  it('§4 each result has its message, costs what is due, and says why it is what it is; §2 Single tab grid: File name with the address, Status, Result, Date as MMM DD, YYYY', async () => {
    await open('/email-verification/single');
    for (const [address, word, told, tone, cost] of [
      ['nobody@exists.test', 'Invalid', 'Verification successful! Invalid email', 'warning', 1],
      ['anyone@catch-all.test', 'Catch all', 'Verification successful! Catch all email', 'warning', 1],
      ['max@exists.test', 'Unknown', 'Verification successful! Unknown email', 'warning', 0],
      ['jane@exists.test', 'Valid', 'Verification successful! Valid email', 'success', 1],
    ] as const) {
      const before = await balance();
      await verify(address);
      await page.locator(`[data-tone="${tone}"]`, { hasText: told }).waitFor();
      await rowOf(address)
        .getByRole('button', { name: `${word}, show evidence` })
        .waitFor();

      // The answer is below the field, live and with its reason.
      await latest().getByText(word, { exact: true }).waitFor();
      await latest().getByText(address, { exact: true }).waitFor();
      await expect.poll(() => field().inputValue()).toBe('');
      expect(await balance()).toBe(before - cost);
      const shown = `${(before - cost).toLocaleString('en-US')} credits`;
      await page.getByRole('form').getByText(shown).waitFor();
    }

    const grid = page.getByRole('region', { name: 'single verifications' });
    await expect
      .poll(async () => (await grid.getByRole('columnheader').allInnerTexts()).slice(0, 4))
      .toEqual(['File name', 'Status', 'Result', 'Date']);
    await rowOf('jane@exists.test').getByText('Complete').waitFor();
    const cells = await rowOf('jane@exists.test').getByRole('cell').allInnerTexts();
    expect(cells[0]).toBe('jane@exists.test');
    expect(cells[1]).toBe('Complete');
    expect(cells[3]).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
    // All on one line: the word of the verdict once sat 2 px higher.
    const middles = await page.evaluate<
      number[]
    >(`[...document.querySelectorAll('section[aria-label="single verifications"] tbody tr:first-child td:not(:last-child)')].map((cell) => {
      const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      range.selectNodeContents(words);
      const { top, bottom } = range.getBoundingClientRect();
      return (top + bottom) / 2;
    })`);
    expect(middles).toHaveLength(4);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(1);

    // The first steps follow what was done.
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('listitem').filter({ hasText: 'Check one email' }).getByLabel('Done').waitFor();
    await steps.getByRole('listitem').filter({ hasText: 'Open the evidence' }).getByLabel('To do').waitFor();

    // It leads to the evidence, as its row does.
    await latest().getByRole('button', { name: 'Show evidence' }).click();
    await page.getByRole('dialog').getByText('How we know').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await steps.getByRole('listitem').filter({ hasText: 'Open the evidence' }).getByLabel('Done').waitFor();

    // Pointing at the result shows the reason in words.
    await evidenceOf('nobody@exists.test').hover();
    await page
      .getByRole('tooltip')
      .getByText('The mail host says that this mailbox does not exist.')
      .waitFor();

    // The evidence names every step: host, address, its own words and the time.
    await evidenceOf('nobody@exists.test').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('550 5.1.1').waitFor();

    const words = await panel.innerText();
    expect(words).toContain('nobody@exists.test');
    expect(words).toContain('no_such_mailbox');
    expect(words).toMatch(/mx\.exists\.test · 127\.77\.\d+\.\d+/);
    expect(words).toMatch(/(\d+|< 1) ms/);
    expect(words).toMatch(/Disposable\s*No/);
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });

    await evidenceOf('max@exists.test').click();
    await panel.getByText('You were not charged for it.').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });

  it('§2 while one is under way: a spinner and Verifying...; a domain that is not in ASCII is shown as it was typed', async () => {
    await open('/email-verification/single');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await verify('jane@greylist-5m.test');

    const result = rowOf('jane@greylist-5m.test').locator('[data-verdict="PENDING"]');
    await result.getByText('Verifying...', { exact: true }).waitFor();
    await expect.poll(() => result.locator('svg').evaluate(turnsOf)).toEqual([Number.POSITIVE_INFINITY]);
    expect((await api.validations.listSingles()).results[0]?.status).not.toBe('COMPLETE');

    await verify('jane@bücher.test');
    await rowOf('jane@bücher.test').waitFor();

    // A second press before the first is sent pays for nothing: the first one still goes to the tab of singles.
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();
    await field().fill('twice@exists.test');
    await field().evaluate(pressTwice);
    await message('Email verification started for email twice@exists.test.').waitFor();
    await page.getByRole('tab', { name: 'Single verifications (3)' }).waitFor();
    expect((await api.validations.listSingles()).total).toBe(3);

    // The next address, typed before the first is answered, stays.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/validations/email_validation', (route) =>
      held.promise.then(() => route.continue()),
    );
    const starting = page.waitForRequest('**/api/validations/email_validation');
    await field().fill('first@exists.test');
    await field().press('Enter');
    await starting;
    await field().fill('second@exists.test');
    // 'Verifying...' is there before the server has answered.
    await latest().getByText('first@exists.test').waitFor();
    await latest().getByText('Verifying...').waitFor();
    held.resolve();
    await message('Email verification started for email first@exists.test.').waitFor();
    await expect.poll(() => field().inputValue()).toBe('second@exists.test');

    // The address that was probably meant is beside the result.
    await page.route(/\/email_validation\/[0-9a-f-]+$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), suggestion: 'jo@exists.test' } });
    });
    await verify('nobody@exists.test');
    await latest().getByText('Did you mean jo@exists.test?').waitFor();
  });
});

describe('a check that is put off', () => {
  it('says what it waits for and when we try again, on a desktop and on a phone', async () => {
    await open('/email-verification/single');
    await verify('jane@greylist-5m.test');

    const words = /^Waiting for the mail host of greylist-5m\.test to answer\. Next attempt in [1-5] min\.$/;
    await latest().getByText(words).waitFor();
    await rowOf('jane@greylist-5m.test').getByText(words).waitFor();
    await expectAccessibleInBothSchemes(page);

    await page.setViewportSize({ width: 390, height: 844 });
    await latest().getByText(words).waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  });
});

describe('the metrics chart', () => {
  it('§2 counts them: donut, legend with its note, and the points of the line; §9 ranges of a month, a year and a week: dates sent as ISO with offset, points by day or month, their ticks labelled', async () => {
    const complete = ['jane@exists.test', 'nobody@exists.test', 'anyone@catch-all.test', 'max@exists.test'];
    await open('/email-verification/single', { complete, started: ['jane@greylist-5m.test'] });
    const panel = page.getByRole('region', { name: 'Emails verified' });
    await panel
      .getByRole('img', { name: '5 emails: Pending 1, Valid 1, Invalid 1, Catch all 1, Unknown 1' })
      .waitFor();

    await expect
      .poll(() => panel.getByRole('listitem').allInnerTexts())
      .toEqual([
        ...['Pending', 'Valid', 'Invalid', 'Catch all', 'Unknown *'].map((word) =>
          expect.stringContaining(word),
        ),
      ]);
    await expect
      .poll(() => panel.locator('svg[tabindex="0"], svg [tabindex="0"]').count(), { message: 'tab stops' })
      .toBe(0);
    await panel.getByText("* You won't be charged for unknown emails", { exact: true }).waitFor();
    await panel.locator('table', { hasText: 'Emails verified last week' }).waitFor({ state: 'attached' });
    await expect.poll(() => panel.locator('tbody tr').count()).toBe(7);
    await expect.poll(() => panel.locator('tbody tr').last().locator('td').textContent()).toBe('5');
    // §9: six days of a week are named by their dates, from the first on, and the last one by a word.
    await expect.poll(() => ticks(panel).count()).toBe(6);
    const days = await panel.locator('tbody th').allInnerTexts();
    await expect.poll(() => ticks(panel).allTextContents()).toEqual(days.slice(0, 6));
    await panel.locator('svg text').getByText('Today', { exact: true }).waitFor();
    // A pointer and the arrow keys lead to the count of a day.
    const line = panel.getByRole('slider', { name: 'Emails verified last week, by day' });
    await line.hover({ position: { x: 60, y: 100 } });
    await line.getByText('0 emails', { exact: true }).waitFor();
    await page.mouse.move(0, 0);
    await line.focus();
    await line.getByText('5 emails', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => line.getAttribute('aria-valuetext')).toBe(`${days[5]}: 0 emails`);
    await expectAccessibleInBothSchemes(page);

    for (const [range, label, groupBy, points, tickCount] of [
      ['MONTH', 'Emails verified last month', 'DAY', 30, 12],
      ['YEAR', 'Emails verified last year', 'MONTH', 12, 12],
      ['WEEK', 'Emails verified last week', 'DAY', 7, 6],
    ] as const) {
      const asked = page.waitForRequest(
        (request) =>
          request.url().includes('/lists/metrics') && request.url().includes(`group_by=${groupBy}`),
      );
      await page.getByLabel('Range of the chart').selectOption({ label });
      await expect.poll(() => page.getByLabel('Range of the chart').inputValue()).toBe(range);

      const query = new URL((await asked).url()).searchParams;
      for (const name of ['from_date', 'to_date']) {
        expect(query.get(name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
      }
      const table = page.locator('table', { hasText: label });
      await table.waitFor({ state: 'attached' });
      await expect.poll(() => table.locator('tbody tr').count()).toBe(points);
      await expect.poll(() => ticks(page).count()).toBe(tickCount);
      // Level and apart from each other, also on phones.
      for (const width of [1440, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        const gap = () => page.evaluate<number>(closestLabels);
        await expect.poll(gap, { message: `${label}, ${width} px` }).toBeGreaterThan(2);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    }

    await panel.getByRole('button', { name: 'Hide chart' }).click();
    await page.reload();
    await panel.getByRole('button', { name: 'Show chart' }).click();
    await panel.getByRole('slider').waitFor();
  });
});

describe('many addresses', () => {
  it('§9 pages of 10, 25 or 50 stay in the address, over a reload and a visit to the other tab; §3 starting one from there goes to the singles and resets their pages; on a phone, in both schemes, nothing scrolls sideways', async () => {
    await open('/email-verification/single', { started: manyAddresses(27) });
    await page.getByText('1–10 of 27').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('slider').waitFor();
    await expect.poll(inView).toBeGreaterThanOrEqual(8);

    // While the next page loads, the pager tells where the rows are that are still shown.
    const held = Promise.withResolvers<void>();
    await page.route('**/email_validation?*page_number=2*', (route) =>
      held.promise.then(() => route.continue()),
    );
    const asking = page.waitForRequest('**/email_validation?*page_number=2*');
    await page.getByRole('button', { name: 'Next page' }).click();
    await asking;
    expect(pathAndSearch()).toBe('/email-verification/single?page=2');
    await rowOf('page26@exists.test').waitFor();
    await page.getByText('1–10 of 27').waitFor();
    await page.getByText('Page 1 of 3').waitFor();
    held.resolve();
    await page.getByText('11–20 of 27').waitFor();
    await rowOf('page16@exists.test').waitFor();
    await page.reload();
    await page.getByText('11–20 of 27').waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('tab', { name: 'Single verifications' }).click();
    await page.getByText('11–20 of 27').waitFor();

    await page.getByLabel('Rows per page').selectOption('25');
    await page.getByText('1–25 of 27').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single?page_size=25');
    await expect
      .poll(() => page.getByLabel('Rows per page').locator('option').allInnerTexts())
      .toEqual([...['10', '25', '50']]);

    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('26–27 of 27').waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();

    await verify('popular@exists.test');

    await page.getByText('1–10 of 28').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single');
    await rowOf('popular@exists.test').getByRole('button', { name: 'Unknown, show evidence' }).waitFor();

    // A page beyond the last one leads to the last.
    await page.goto('/email-verification/single?page=99');
    await page.getByText('21–28 of 28').waitFor();
    expect(pathAndSearch()).toBe('/email-verification/single?page=3');
    // It takes its place: the way back leads to the page before.
    await page.goBack();
    await page.getByText('1–10 of 28').waitFor();
    await expect.poll(pathAndSearch).toBe('/email-verification/single');
    await page.goForward();
    await page.getByText('21–28 of 28').waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('21–28 of 28').waitFor();

    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);

    // The smallest phone has room for all words of the field.
    await page.setViewportSize({ width: 320, height: 640 });
    await field().waitFor();
    await expect.poll(() => page.evaluate<number>(placeholderRoom)).toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 844 });

    // A phone starts without the chart, so that the newest result is in view.
    await page.goto('/email-verification/single');
    await page.getByRole('button', { name: 'Show chart' }).waitFor();
    await page.getByText('1–10 of 28').waitFor();
    await expect.poll(inView).toBeGreaterThanOrEqual(5);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(inView).toBeGreaterThanOrEqual(1);
    await expect.poll(() => page.evaluate(chartButtonCut)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    await page.getByText('1–10 of 28').waitFor();
    await expect.poll(inView).toBeGreaterThanOrEqual(8);
  });
});

/** How much of a dialog is cut off at its side. */
const dialogOverflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
  document.querySelector('[role="dialog"]'))`;

describe('single verifications', () => {
  it('are searched, downloaded, verified again and deleted, on a desktop and on a phone', async () => {
    // So long that it has no room on a line of the dialog.
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.test`;
    const others = ['nobody@exists.test', longest] as const;
    await open('/email-verification/single', { complete: ['jane@exists.test', 'jo@exists.test', ...others] });
    const search = page.getByRole('searchbox', { name: 'Search single verifications' });
    for (const { width, address, other, left } of [
      { width: 1440, address: 'jane@exists.test', other: others[0], left: 4 },
      { width: 390, address: 'jo@exists.test', other: others[1], left: 4 },
    ]) {
      await page.setViewportSize({ width, height: 844 });
      await search.fill(address.toUpperCase());
      await page.getByText('1–1 of 1').waitFor();
      // §2: the tab counts everything, not what a search finds.
      await page.getByRole('tab', { name: `Single verifications (${left})` }).waitFor();
      await rowOf(other).waitFor({ state: 'hidden' });
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      expect((await coming).suggestedFilename()).toBe('Single verifications.csv');

      await chooseFromMenu(page, address, 'Verify again (1 credit)');
      await message(`Email verification started for email ${address}.`).waitFor();
      await page.getByText('1–2 of 2').waitFor();
      await search.fill('');
      await page.getByText(`1–${left + 1} of ${left + 1}`).waitFor();
      await chooseFromMenu(page, other, 'Delete');
      await page.getByRole('dialog').getByText(`Are you sure you want to delete ${other}?`).waitFor();
      await expect.poll(() => page.evaluate(dialogOverflow)).toBe(0);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await message(`${other} deleted.`).waitFor();
      await page.getByText(`1–${left} of ${left}`).waitFor();
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    }
  });
});

describe('a tab whose storage is full', () => {
  it('pages, searches and starts checks; only what it would remember is lost', async () => {
    const customer = await newCustomer();
    page = await customer.open('about:blank');
    await page.addInitScript(`Object.getPrototypeOf(sessionStorage).setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    }`);
    await page.goto('/email-verification/single');

    await verify('jane@exists.test');
    await rowOf('jane@exists.test').waitFor();
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('button', { name: 'Hide chart' }).click();
    await page.getByRole('button', { name: 'Show chart' }).waitFor();
  });
});
