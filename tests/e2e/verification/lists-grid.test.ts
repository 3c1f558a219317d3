import { readFile } from 'node:fs/promises';
import type { Client } from '@assay/client';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer, openCustomer, startList, untilComplete } from '../support/customer.ts';
import { chooseFrom, chooseFromMenu } from '../support/menus.ts';
import { cutOffAtAnyWidth, gotoAndListen, rowsInView } from '../support/visitor.ts';
import { csvFile, startList as importList } from '../verification-bulk/steps.ts';

let page: Page;
let api: Client;

const message = (text: string) => page.getByText(text, { exact: true });
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
const creditsShown = (credits: number) =>
  page
    .getByRole('form', { name: 'Verify a single email' })
    .getByText(`${credits.toLocaleString('en-US')} credits`, { exact: true });
const dialog = () => page.getByRole('dialog');
const nameField = () => dialog().getByRole('textbox', { name: 'List name' });

/** How far the spinner of the busy button is from the middle of the button, in pixels. */
const spinnerOffset = `(() => {
  const button = document.querySelector('[role="dialog"] button[data-loading]');
  const [outer, inner] = [button, button.querySelector('[class*="Button-loader"]')].map((part) => part.getBoundingClientRect());
  return Math.hypot(
    outer.left + outer.width / 2 - inner.left - inner.width / 2,
    outer.top + outer.height / 2 - inner.top - inner.height / 2,
  );
})()`;

/** The file that the browser fetches after an action of the menu, without the byte-order mark. */
async function downloadOf(listName: string, action: string): Promise<{ name: string; lines: string[] }> {
  const coming = page.waitForEvent('download');
  await chooseFromMenu(page, listName, action);
  const download = await coming;
  const text = await readFile(await download.path(), 'utf8');
  return {
    name: download.suggestedFilename(),
    lines: text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split(/\r?\n/),
  };
}

describe('a list that runs', () => {
  it('§4 shows its progress as it moves, then a check and List verification successful!; list_complete reloads the metrics and the wallet', async () => {
    ({ page, api } = await openCustomer('about:blank'));
    await gotoAndListen(page, '/email-verification/bulk');
    await page.getByText('No lists yet').waitFor();
    const held = Array.from({ length: 40 }, (_, number) => `jane${number}@greylist.test`);
    const plain = Array.from({ length: 60 }, (_, number) => `user${number}@exists.test`);
    const ringAtWork = '[role="progressbar"][aria-label="Progress of Moving"]:not([aria-valuenow="0"])';
    await Promise.all([
      startList(api, 'Moving.csv', ['email', ...plain, ...held]),
      rowOf('Moving').locator(ringAtWork).waitFor(),
      expect.poll(() => page.title(), { interval: 10 }).toMatch(/^\d+% · Email verification · Assay$/),
      message('List verification successful!').waitFor(),
    ]);
    await rowOf('Moving').getByRole('img', { name: 'Complete' }).waitFor();
    await expect.poll(() => page.title()).toBe('Email verification · Assay');
    await page.getByRole('tab', { name: 'Bulk verifications (1)' }).waitFor();

    const chart = page.getByRole('region', { name: 'Emails verified' });
    await chart.getByRole('img', { name: '100 emails: Invalid 100', exact: true }).waitFor();
    await creditsShown(900).waitFor();
  });
});

describe('the bulk grid', () => {
  beforeEach(async () => {
    const customer = await newCustomer();
    api = customer.api;
    const mixed = await startList(api, 'Mixed.csv', [
      'name,email',
      'Jane,jane@exists.test',
      'Nobody,nobody@exists.test',
      'Anyone,anyone@catch-all.test',
      'Max,max@exists.test',
      'Jane again,JANE@exists.test',
      'Broken,not an address',
    ]);
    const refused = await startList(api, 'Refused.csv', ['email', 'nobody@exists.test']);
    await untilComplete(api, mixed.id);
    await untilComplete(api, refused.id);
    page = await customer.open('/email-verification/bulk');
    await rowOf('Mixed').getByRole('img', { name: 'Complete' }).waitFor();
    await rowOf('Refused').getByRole('img', { name: 'Complete' }).waitFor();
  });

  it('§2 Bulk tab grid: its columns, seen at every width, with the counts of a list; rows keep their height and alignment, and the donut its place, while they load', async () => {
    const grid = page.getByRole('region', { name: 'bulk verifications' });
    const headers = await grid.getByRole('columnheader').allInnerTexts();
    expect(headers.slice(0, 8)).toEqual([
      ...['File name', 'Emails', 'Valid', 'Invalid', 'Catch all', 'Unknown', 'Date', 'Status'],
    ]);
    const cells = await rowOf('Mixed').getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 6)).toEqual(['Mixed', '4', '1', '1', '1', '1']);
    expect(cells[6]).toMatch(/^[A-Z][a-z]{2} \d\d, \d{4}$/);
    // Counts have the mark of their verdict, a bar shows their shares, and zeros step back.
    const shownOf = async (name: string) => ({
      marks: await rowOf(name).locator('[data-zero="false"] svg').count(),
      shares: await rowOf(name).locator('span[style*="flex"]').count(),
      zeros: await rowOf(name).locator('[data-zero="true"]').count(),
    });
    await expect.poll(() => shownOf('Mixed')).toEqual({ marks: 4, shares: 4, zeros: 0 });
    await expect.poll(() => shownOf('Refused')).toEqual({ marks: 1, shares: 1, zeros: 3 });
    // The bars are as wide as each other, however long the names are.
    const barWidths = () =>
      page.evaluate<
        number[]
      >(`[...document.querySelectorAll('section[aria-label="bulk verifications"] tbody tr')].map((row) =>
        row.querySelector('span[style*="flex"]').parentElement.getBoundingClientRect().width)`);
    await expect.poll(async () => new Set(await barWidths()).size).toBe(1);
    await expectAccessibleInBothSchemes(page);
    // Every column is seen at every width.
    await expect.poll(() => cutOffAtAnyWidth(page)).toEqual([]);

    // The last row has no line below it, so the first is measured. The ring is the round part of the panel.
    const shapes = () =>
      page.evaluate<{ rowHeight: number; sides: string[]; ring: number[] }>(`(() => {
        const row = document.querySelector('section[aria-label="bulk verifications"] tbody tr');
        const sides = [...row.querySelectorAll('td:not(:last-child)')].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const [inner, outer] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
          const [before, after] = [inner.left - outer.left, outer.right - inner.right];
          return Math.abs(before - after) < 1 ? 'both' : before < after ? 'start' : 'end';
        });
        const panel = document.querySelector('section[aria-label="Emails verified"]');
        const round = [...panel.querySelectorAll('[role="img"], span')].find((part) =>
          part.role === 'img' || (getComputedStyle(part).borderRadius === '50%' && part.clientWidth > 100));
        const { x, y, width, height } = round.getBoundingClientRect();
        return { rowHeight: row.getBoundingClientRect().height, sides, ring: [x, y, width, height].map(Math.round) };
      })()`);
    await page.getByRole('img', { name: /^5 emails:/ }).waitFor();
    const loaded = await shapes();
    const released = Promise.withResolvers<void>();
    for (const address of ['**/api/validations/lists?*', '**/api/validations/lists/metrics?*']) {
      await page.route(address, async (route) => {
        await released.promise;
        await route.fallback();
      });
    }
    await page.reload();
    for (const name of ['bulk verifications', 'chart']) {
      await page.getByText(`Loading ${name}`).waitFor({ state: 'attached' });
    }
    const loading = await shapes();
    released.resolve();
    await rowOf('Mixed').waitFor();

    expect(loaded.rowHeight).toBeGreaterThan(0);
    expect(loaded.sides).toContain('end');
    // What fills its cell touches both sides.
    const sides = loading.sides.map((side, column) => (side === 'both' ? loaded.sides[column] : side));
    expect({ ...loading, sides }).toEqual(loaded);
  });

  it('§2 row menu: Download valid emails only where there are some; its dialogs give the focus back; a click on a row and Details open the list, a click on the menu does not', async () => {
    const itemsOf = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menu').waitFor();
      const items = await page.getByRole('menuitem').allInnerTexts();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      return items;
    };

    expect(await itemsOf('Mixed')).toEqual([
      ...[
        'Details',
        'Rename',
        'Download all emails',
        'Download valid emails',
        'Re-verify unknown emails',
        'Delete',
      ],
    ]);
    expect(await itemsOf('Refused')).toEqual(['Details', 'Rename', 'Download all emails', 'Delete']);

    const menu = page.getByRole('button', { name: /^Actions for / }).first();
    await chooseFrom(menu, 'Delete');
    await dialog().getByText('This action cannot be undone').waitFor();
    const focused = () =>
      page.evaluate<string>(`(({ tagName, ariaLabel }) =>
        document.activeElement.closest('[role="dialog"]') ? 'dialog' : tagName + ' ' + ariaLabel)(document.activeElement)`);
    await expect.poll(focused).toBe('dialog');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });

    await expect.poll(focused).toMatch(/^BUTTON Actions for /);

    await page.getByRole('button', { name: 'Actions for Mixed' }).click();
    await page.getByRole('menu').waitFor();
    expect(new URL(page.url()).pathname).toBe('/email-verification/bulk');
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press('Escape');

    // The page has the name of its list before the list is loaded.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/validations/lists/*', (route) => held.promise.then(() => route.fallback()));
    await rowOf('Mixed').getByRole('cell').nth(6).click();

    await page.waitForURL('**/email-verification/bulk/*');
    await page.getByRole('heading', { name: 'Mixed', level: 1 }).waitFor();
    held.resolve();
    await page.getByRole('link', { name: 'Back to bulk verifications' }).click();
    await rowOf('Mixed').waitFor();
    await chooseFromMenu(page, 'Mixed', 'Details');
    await page.waitForURL('**/email-verification/bulk/*');
  });

  it('§7 Download all emails asks for the four statuses and brings the file row for row; Download valid emails brings those alone; §8 an export without a link is no success, and a refused one is shown with its reason, or without one', async () => {
    const asked = page.waitForRequest((request) => request.url().includes('/export?'));
    const told = message('Generating Mixed list export.').waitFor();
    const { name, lines } = await downloadOf('Mixed', 'Download all emails');

    const query = new URL((await asked).url()).searchParams;
    expect(query.getAll('status')).toEqual(['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN']);
    expect(query.get('rows')).toBe('all');
    // The second message takes the place of the first.
    await told;
    await message('Success! Export generated').waitFor();
    await message('Generating Mixed list export.').waitFor({ state: 'hidden' });
    expect(name).toBe('Mixed - all emails.csv');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^name,email,/);
    expect(lines[1]).toMatch(/^Jane,jane@exists\.test,.*valid/i);
    expect(lines[5]).toMatch(/^Jane again,JANE@exists\.test,.*valid/i);
    expect(lines[6]).toMatch(/^Broken,not an address,.*invalid/i);

    const valid = await downloadOf('Mixed', 'Download valid emails');
    expect(valid.name).toBe('Mixed - valid emails.csv');
    expect(valid.lines).toHaveLength(2);
    expect(valid.lines[1]).toMatch(/^Jane,jane@exists\.test,/);

    const answer = (status: number, json: unknown) =>
      page.route('**/export?*', (route) => route.fulfill({ status, json }), { times: 1 });
    const refuse = (json: unknown) => answer(400, json);
    await answer(200, {});
    await chooseFromMenu(page, 'Refused', 'Download all emails');
    await message('Something went wrong generating the download, please try again').waitFor();
    await message('Something went wrong generating the download, please try again').waitFor({
      state: 'hidden',
    });

    await refuse({ errors: [{ code: 'busy', message: 'The file store is full.' }] });
    await chooseFromMenu(page, 'Mixed', 'Download all emails');
    await message(
      'There was an error generating the export! The file store is full, please try again later.',
    ).waitFor();

    await refuse({});
    await chooseFromMenu(page, 'Mixed', 'Download all emails');
    await message('Something went wrong generating the download, please try again').waitFor();
  });

  it('§5 List name: refuses what breaks its rules, each with its message; §8 Name update failed., with what the server said in the form; then Name updated successfully', async () => {
    await chooseFromMenu(page, 'Refused', 'Rename');
    await page.getByRole('dialog', { name: 'Edit list name' }).waitFor();
    for (const [name, problem] of [
      ['', 'Name required'],
      ['a', 'Name requires at least 2 characters'],
      ['twenty-one characters', 'Name requires no more than 20 characters'],
      [
        'a/b',
        'File name requires valid characters (letters, numbers, hyphens, underscores, dots, and spaces)',
      ],
    ] as const) {
      await nameField().fill('name before');
      await nameField().fill(name);

      await dialog().getByText(problem, { exact: true }).waitFor();
    }
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });

    const held = Promise.withResolvers<void>();
    await page.route('**/api/validations/lists/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      await held.promise;
      await route.fulfill({
        status: 409,
        json: { errors: [{ code: 'name_taken', message: 'Choose another' }] },
      });
    });
    await chooseFromMenu(page, 'Refused', 'Rename');
    await nameField().fill('Taken');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => dialog().getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    // Also for people who want no motion.
    await expect.poll(() => page.evaluate(spinnerOffset)).toBeLessThan(2);
    // The dialog stays until it has said how the saving ended.
    await page.keyboard.press('Escape');
    held.resolve();

    await message('Name update failed.').waitFor();
    await dialog().getByText('name_taken Choose another', { exact: true }).waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.unroute('**/api/validations/lists/*');

    await nameField().fill('Renamed list_1.0');
    await nameField().press('Enter');

    await message('Name updated successfully').waitFor();
    await rowOf('Renamed list_1.0').waitFor();
    await dialog().waitFor({ state: 'hidden' });
  });

  it('§2 Delete asks first; §8 Error deleting {list} : {message}, or without one; then the list is gone: List {list} deleted.', async () => {
    // Until it is removed below, and not a number of times: the page may read a list meanwhile.
    const refuse = (json: unknown) =>
      page.route('**/api/validations/lists/*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 409, json }) : route.fallback(),
      );
    for (const [json, told] of [
      [{ errors: [{ code: 'busy', message: 'Not now' }] }, 'Error deleting Mixed : Not now'],
      [{}, 'Error deleting Mixed'],
    ] as const) {
      await chooseFromMenu(page, 'Mixed', 'Delete');
      await refuse(json);
      await dialog().getByRole('button', { name: 'Delete' }).click();
      await message(told).waitFor();
      await dialog().waitFor({ state: 'hidden' });
      await page.unroute('**/api/validations/lists/*');
    }
    await rowOf('Mixed').waitFor();

    await chooseFromMenu(page, 'Mixed', 'Delete');
    await page.getByRole('dialog', { name: 'Are you sure you want to delete Mixed?' }).waitFor();
    await dialog().getByText('This action cannot be undone', { exact: true }).waitFor();
    await expectAccessibleInBothSchemes(page);
    await dialog().getByRole('button', { name: 'Delete' }).click();

    await message('List Mixed deleted.').waitFor();
    await rowOf('Mixed').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Bulk verifications (1)' }).waitFor();
  });
});

describe("work of the API's sandbox", () => {
  it('is marked in both grids, and paid work is not', async () => {
    const customer = await newCustomer();
    api = customer.api;
    await startList(api, 'Paid.csv', ['email', 'jane@exists.test']);
    const query = { sandbox: true };
    const list = await api.validations.createListFromEmails({
      query,
      body: { name: 'Trial', emails: ['jane@exists.test'] },
    });
    await api.validations.startSingle({ query, body: { email_address: 'jane@exists.test' } });
    await untilComplete(api, list.id);
    page = await customer.open('/email-verification/bulk');

    await rowOf('Trial').getByText('Sandbox', { exact: true }).waitFor();
    await rowOf('Paid').waitFor();
    await expect.poll(() => page.getByRole('table').getByText('Sandbox', { exact: true }).count()).toBe(1);
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('tab', { name: 'Single verifications (1)' }).click();
    await rowOf('jane@exists.test').getByText('Sandbox', { exact: true }).waitFor();
  });
});

describe('many lists', () => {
  it('§2 confirming an import resets the pages of the bulk grid, and its cost is held at once', async () => {
    const customer = await newCustomer();
    api = customer.api;
    const create = (name: string) =>
      api.validations.createListFromEmails({
        query: { sandbox: true },
        body: { name, emails: ['jane@exists.test'] },
      });
    await create('Oldest');
    await Promise.all(Array.from({ length: 27 }, (_, number) => create(`Page filler ${number}`)));
    page = await customer.open('/email-verification/bulk');
    for (const [width, height, rows] of [
      [320, 640, 1],
      [390, 844, 5],
      [1280, 800, 8],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await page.getByText('1–10 of 28').waitFor();
      const inView = () => rowsInView(page, 'bulk verifications');
      await expect.poll(inView, { message: `${width} by ${height}` }).toBeGreaterThanOrEqual(rows);
    }
    await page.getByLabel('Rows per page').selectOption('25');
    await page.getByText('1–25 of 28').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('26–28 of 28').waitFor();
    expect(new URL(page.url()).search).toBe('?page=2&page_size=25');
    await rowOf('Oldest').waitFor();
    const { balance } = await api.billing.getWallet();
    await creditsShown(balance).waitFor();

    // A second navigation, after the one to the top, could call off one that begins meanwhile.
    await page.evaluate(`{
      const replace = history.replaceState;
      globalThis.replaced = 0;
      history.replaceState = function (...words) {
        globalThis.replaced += 1;
        return replace.apply(this, words);
      };
    }`);
    const slow = ['jane@greylist-never.test', 'max@greylist-never.test', 'ines@greylist-never.test'];
    await importList(page, csvFile('On top.csv', ['email', ...slow]));

    await page.getByText('1–10 of 29').waitFor();
    expect(`${new URL(page.url()).pathname}${new URL(page.url()).search}`).toBe('/email-verification/bulk');
    const grid = page.getByRole('region', { name: 'bulk verifications' });
    await grid.getByRole('row').nth(1).getByText('On top', { exact: true }).waitFor();
    await creditsShown(balance - 3).waitFor();
    await rowOf('On top').getByRole('progressbar').waitFor();
    expect(await page.evaluate('globalThis.replaced')).toBe(0);
    await expectAccessibleInBothSchemes(page);
  });
});

describe('finding and deleting lists', () => {
  it('lists are searched, sorted, marked by their results, and several are deleted at once, on a desktop and on a phone', async () => {
    ({ page, api } = await openCustomer('about:blank'));
    for (const name of ['Swift', 'Swallow', 'Spring', 'Summer', 'Autumn', 'Sparrow']) {
      const { id } = await startList(api, `${name}.csv`, ['email', 'jane@exists.test', 'nobody@exists.test']);
      await untilComplete(api, id);
    }
    await page.goto('/email-verification/bulk');
    const names = async () =>
      (await page.getByRole('row').locator('td:first-child').allInnerTexts()).map((text) => text.trim());
    const newestFirst = ['Sparrow', 'Autumn', 'Summer', 'Spring', 'Swallow', 'Swift'];
    await expect.poll(names).toEqual(newestFirst);

    // A list that is opened while its page's code loads stays opened, whatever was typed just before.
    await page.route('**/assets/list-detail-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search lists' }).focus();
    // In one go, so that the list is always opened before the search begins.
    await page.evaluate(`document.execCommand('insertText', false, 'Sw');
      [...document.links].find(({ textContent }) => textContent === 'Swift').click();`);
    await page.getByRole('heading', { name: 'Swift', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.unrouteAll();
    await page.goto('/email-verification/bulk');
    await expect.poll(names).toEqual(newestFirst);
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['Swallow', 'Swift']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    }
    await page.getByRole('button', { name: 'Delete 2 lists' }).click();
    // The question stays as it was while the lists go one by one.
    const released = Promise.withResolvers<void>();
    let deletions = 0;
    await page.route('**/api/validations/lists/*', async (route) => {
      if (route.request().method() === 'DELETE' && deletions++ > 0) await released.promise;
      await route.fallback();
    });
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(names).toHaveLength(5);
    await dialog().getByText('Are you sure you want to delete 2 lists?').waitFor();
    released.resolve();
    await message('2 lists deleted.').waitFor();
    await page.unrouteAll();
    await expect.poll(names).toEqual(['Sparrow', 'Autumn', 'Summer', 'Spring']);
    await page.getByLabel('Sort lists by').selectOption('Name, A to Z');
    await expect.poll(names).toEqual(['Autumn', 'Sparrow', 'Spring', 'Summer']);
    await page.getByRole('searchbox', { name: 'Search lists' }).fill('SP');
    await expect.poll(names).toEqual(['Sparrow', 'Spring']);
    // §2: the tabs count everything, not what a search finds.
    await page.getByRole('tab', { name: 'Bulk verifications (4)' }).waitFor();
    await page.getByRole('tab', { name: 'Single verifications (0)' }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=SP&sort=name');
    await page.reload();
    await expect.poll(names).toEqual(['Sparrow', 'Spring']);
    await page.getByRole('tab', { name: 'Bulk verifications (4)' }).waitFor();
    await expectAccessibleInBothSchemes(page);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('checkbox', { name: 'Select Spring' }).check();
    await page.getByRole('checkbox', { name: 'Select Sparrow' }).check();
    // Another tab has deleted one of them meanwhile.
    const { results } = await api.validations.listLists({ query: { search: 'Sparrow' } });
    await page.route(`**/api/validations/lists/${results[0]?.id}`, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({
            status: 404,
            json: { errors: [{ code: 'list_not_found', message: 'This list is not there.' }] },
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Delete 2 lists' }).click();
    await dialog().getByText('Are you sure you want to delete 2 lists?').waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await message('1 list deleted.').waitFor();
    await message('Error deleting Sparrow : This list is not there.').waitFor();
    await expect.poll(names).toEqual(['Sparrow']);
    await page.getByRole('searchbox', { name: 'Search lists' }).fill('none');
    await page.getByText('No lists match').waitFor();
    await page.getByRole('button', { name: 'Show all lists' }).click();
    await expect.poll(names).toEqual(['Autumn', 'Sparrow', 'Summer']);
    await page.getByLabel('Sort lists by').selectOption('Name, Z to A');
    await expect.poll(names).toEqual(['Summer', 'Sparrow', 'Autumn']);
  });
});
