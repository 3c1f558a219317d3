import type { Client } from '@assay/client';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer, openCustomer, startList, untilComplete } from '../support/customer.ts';
import { downloadedLines } from '../support/downloads.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { gotoAndListen, rowsInView, sidewaysOverflow } from '../support/visitor.ts';

let page: Page;

/** Starts a list, waits until it is ready, and opens its page. */
async function openList(
  name: string,
  lines: readonly string[],
  isReady: (api: Client, id: string) => Promise<unknown>,
) {
  const { api, open } = await newCustomer();
  const { id } = await startList(api, `${name}.csv`, lines);
  await isReady(api, id);
  page = await open(`/email-verification/bulk/${id}`);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await results().waitFor();
}

const results = () => page.getByRole('region', { name: 'Results' });
const emails = () => page.getByRole('region', { name: 'Emails of the list' });
const downloadButton = () => results().getByRole('button', { name: /download/i });
const cardNames = async () => {
  const names = await results().locator('[aria-pressed]').allInnerTexts();
  return names.map((name) => name.split('\n')[0]);
};
/** Cards whose drawn checkbox is over their word or count, and buttons whose words are cut off. */
const coveredCards = () =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('section[aria-label="Results"] [aria-pressed]')].filter((card) => {
    const [word, tick, count] = [...card.children].map((part) => part.getBoundingClientRect());
    return [word, count].some((part) => part.right > tick.left && part.bottom > tick.top);
  }).concat([...document.querySelectorAll('section[aria-label="Results"] .mantine-Button-label')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )).map((covered) => covered.innerText)`);
const chooseCard = (name: string) =>
  results()
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
async function isOnOneLine(...parts: Locator[]): Promise<boolean> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  return new Set(boxes.map((box) => box && Math.round(box.y + box.height / 2))).size === 1;
}
/** Runs in the page, whose types are not those of the tests. */
const labelsOf = (options: unknown[]) => (options as { label: string }[]).map(({ label }) => label);
const shownEmails = () => emails().getByRole('row').locator('td:first-child').allInnerTexts();

const janes = Array.from({ length: 23 }, (_, number) => `jane+${number}@exists.test`);
const mixedLines = [
  ...['email,note', ...janes.map((address) => `${address},good`)],
  ...['nobody@exists.test,none', 'anyone@catch-all.test,any', 'max@exists.test,full'],
  ...['NOBODY@exists.test,again', 'nobody at all,broken', ',empty'],
];

describe('§2 List detail: a complete list', () => {
  beforeEach(() => openList('mixed', mixedLines, untilComplete));

  it("has its name as heading and title, a card for each category with emails, none of several preselected, and says what of the file was left out; the button counts what is selected: 'Download N email(s)', and downloads that; the menu is the one of the row without Details, and the back arrow leads to the bulk verifications", async () => {
    await page.getByRole('heading', { name: 'mixed', level: 1 }).waitFor();

    await expect.poll(() => page.title()).toBe('mixed · Assay');
    await expect.poll(() => page.getByText('This list is still being processed').count()).toBe(0);

    await expect.poll(cardNames).toEqual(['Valid', 'Invalid', 'Catch all', 'Unknown']);
    await expect.poll(() => results().locator('[aria-pressed="true"]').count()).toBe(0);
    await page.setViewportSize({ width: 320, height: 900 });
    await expect.poll(coveredCards).toEqual([]);
    // The link shares a line with the format.
    const share = results().getByRole('button', { name: 'Share a link' });
    await expect.poll(() => isOnOneLine(results().getByLabel('File format'), share)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect
      .poll(() => results().locator('svg[tabindex="0"], svg [tabindex="0"]').count(), {
        message: 'tab stops',
      })
      .toBe(0);
    await expect.poll(() => downloadButton().innerText()).toBe('Select to download');
    await expect.poll(() => downloadButton().isDisabled()).toBe(true);

    await results()
      .getByText('Excluded emails: 1 duplicated, 1 not well-formed, 1 without an email.')
      .waitFor();

    await results()
      .getByRole('button', { name: /^Unknown/ })
      .click();
    await expect.poll(() => downloadButton().innerText()).toBe('Download 1 email');

    await results()
      .getByRole('button', { name: /^Valid/ })
      .click();
    await expect.poll(() => downloadButton().innerText()).toBe('Download 24 emails');

    await results()
      .getByRole('button', { name: /^Unknown/ })
      .click();
    await expect.poll(() => downloadButton().innerText()).toBe('Download 23 emails');

    const lines = await downloadedLines(page, () => downloadButton().click());

    expect(lines).toEqual([
      'email,note,result,reason,flags,mx_provider,suggestion',
      ...janes.map((address) => `${address},good,VALID,mailbox_accepted,plus_tag,exists.test,`),
    ]);

    await page.getByRole('button', { name: 'Actions for mixed' }).click();
    await page.getByRole('menu').waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');

    expect(items).toEqual([
      ...['Rename', 'Download all emails', 'Download valid emails', 'Re-verify unknown emails', 'Delete'],
    ]);

    await page.getByRole('link', { name: 'Back to bulk verifications' }).click();

    await page.waitForURL('**/email-verification/bulk');
  });

  it('answers first: results in one strip, safe to send as the first button until a card is selected, and rows in view at 1280 by 800, on a phone and on the smallest one', async () => {
    const isPrimary = (name: string | RegExp) =>
      results().getByRole('button', { name }).getAttribute('data-variant');
    await expect.poll(() => isPrimary(/^Safe to send/)).toBe('filled');
    await expect.poll(() => isPrimary('Select to download')).toBe('default');
    await chooseCard('Valid');
    await expect.poll(() => isPrimary(/^Safe to send/)).toBe('default');
    await expect.poll(() => isPrimary(/^Download/)).toBe('filled');
    await chooseCard('Valid');

    const screen = await page.context().newCDPSession(page);
    for (const [width, height, rows] of [
      [1280, 800, 8],
      [390, 844, 5],
      [320, 640, 1],
    ] as const) {
      await page.setViewportSize({ width, height });
      await screen.send('Emulation.setTouchEmulationEnabled', { enabled: width < 1280 });
      const inView = () => rowsInView(page, 'emails');
      await expect.poll(inView, { message: `${width} by ${height}` }).toBeGreaterThanOrEqual(rows);
    }
    await screen.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(async () => (await results().boundingBox())?.height ?? 999).toBeLessThan(180);
    const rowHeight = async () => (await emails().getByRole('row').nth(1).boundingBox())?.height;
    await expect.poll(rowHeight).toBeLessThanOrEqual(45);
  });

  it('has room for the counts of millions, on phones too; a list that cannot be loaded says so', async () => {
    await page.route(/\/api\/validations\/lists\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      const counts = {
        ...{ total_emails: 13_104_306, safe_emails: 11_904_007 },
        validation_email_metrics: { completed: 13_104_306 },
        email_metrics: {
          ...{ valid_emails: 12_101_000, invalid_emails: 899_900 },
          ...{ catch_all_emails: 100_206, unknown_emails: 3_200 },
        },
      };
      await route.fulfill({ response, json: { ...(await response.json()), ...counts } });
    });
    await page.reload();
    await results().getByText('Safe to send: 11,904,007 emails').waitFor();
    for (const width of [320, 360, 390, 430, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(coveredCards, { message: `${width} px` }).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });

    await page.unrouteAll();
    const refused = { errors: [{ code: 'bad_request', message: 'Not now.' }] };
    const calls = '**/api/validations/lists/*';
    await page.route(calls, (route) => route.fulfill({ status: 400, json: refused }));
    await page.reload();
    await page.getByText('List could not be loaded.').waitFor();
    await page.getByRole('heading', { name: 'List', level: 1, exact: true }).waitFor();
    await page.unroute(calls);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'mixed', level: 1 }).waitFor();
  });

  it('exports exactly what is filtered, with the chosen columns', async () => {
    await emails().getByRole('searchbox', { name: 'Search emails' }).fill('jane+1');
    await expect.poll(shownEmails).toHaveLength(10);
    await emails().getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export emails' });
    await dialog.getByText('11 emails match what you search and filter by.').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const buttons = ['Cancel', 'Export'].map((name) => dialog.getByRole('button', { name }));
    await expect.poll(() => isOnOneLine(...buttons)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const column of ['note', 'Flags', 'Provider', 'Suggestion']) {
      await dialog.getByRole('checkbox', { name: column }).uncheck();
    }
    const lines = await downloadedLines(page, () => dialog.getByRole('button', { name: 'Export' }).click());

    expect(lines).toEqual([
      'email,result,reason',
      ...janes
        .filter((address) => address.startsWith('jane+1'))
        .map((address) => `${address},VALID,mailbox_accepted`),
    ]);
    await dialog.waitFor({ state: 'hidden' });
  });

  it('its emails are paged, and the page is in the address; they are searched and filtered, each with its reason in words and its evidence on demand', async () => {
    const table = emails();
    await expect.poll(shownEmails).toEqual(janes.slice(0, 10));
    await table.getByRole('button', { name: 'Next page' }).click();
    await table.getByText('11–20 of 26').waitFor();

    await expect.poll(shownEmails).toEqual(janes.slice(10, 20));
    expect(new URL(page.url()).search).toBe('?page=2');
    await page.reload();
    await table.getByText('11–20 of 26').waitFor();
    await page.goto(`${new URL(page.url()).pathname}?page=1e9`);
    await table.getByText('21–26 of 26').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?page=3');

    await table.getByLabel('Rows per page').selectOption('50');
    await table.getByText('1–26 of 26').waitFor();
    await expect.poll(shownEmails).toHaveLength(26);

    const search = emails().getByRole('searchbox', { name: 'Search emails' });
    await search.fill('CATCH-all');
    await emails().getByText('1–1 of 1').waitFor();
    await expect.poll(shownEmails).toEqual(['anyone@catch-all.test']);

    await chooseCard('Invalid');
    await emails().getByText('No emails match').waitFor();
    await emails().getByRole('button', { name: 'Show all emails' }).click();
    await emails().getByText('1–26 of 26').waitFor();
    await expect.poll(() => search.inputValue()).toBe('');

    await chooseCard('Invalid');
    const row = emails().getByRole('row', { name: /^nobody@exists\.test/ });
    await row.waitFor();
    await emails().getByText('1–1 of 1').waitFor();
    // A few words in the row; the sentence is in the evidence.
    await expect.poll(() => row.locator('td').nth(2).innerText()).toBe('No such mailbox');

    await emails()
      .getByRole('row', { name: /^nobody@exists\.test/ })
      .getByRole('button', { name: /show evidence/ })
      .click();
    const panel = page.getByRole('dialog');
    await panel.getByText(/^550 /).first().waitFor();
    await panel.getByText('The mail host says that this mailbox does not exist.').waitFor();

    await expect.poll(() => panel.innerText()).toContain('nobody@exists.test');
    await expect.poll(() => panel.innerText()).toContain('mx.exists.test');
    await panel.getByRole('button', { name: 'Close evidence' }).click();
    await panel.waitFor({ state: 'hidden' });
  });
});

describe('the results of a list', () => {
  const lines = [
    'email',
    'jane@exists.test',
    'info@exists.test',
    'nobody@exists.test',
    'any+x@catch-all.test',
  ];

  it('say where they come from; on a desktop and on a phone they are filtered by cards, reason, flag and provider, sorted, and downloaded as a spreadsheet and as what is safe to send to', async () => {
    await openList('traits', [...lines, 'broken', 'JANE@exists.test'], untilComplete);

    for (const fact of ['File traits.csv', 'Rows 6', 'Credits charged 4', 'Started', 'Ended']) {
      await expect.poll(() => page.getByLabel('About the list').innerText()).toContain(fact);
    }

    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await filterAndSort(width === 390);
      await expect.poll(() => sidewaysOverflow(page), { message: 'no sideways scroll' }).toBe(0);
      await download();
    }

    // The address keeps the filters.
    await chooseValid();
    await emails().getByRole('button', { name: 'Role 1' }).click();
    await expect.poll(shownEmails).toEqual([expect.stringContaining('info@exists.test')]);
    expect(new URL(page.url()).search).toBe('?result=VALID&flag=role');
    await page.reload();
    await expect.poll(shownEmails).toEqual([expect.stringContaining('info@exists.test')]);
    await expect.poll(() => results().locator('[aria-pressed="true"]').count()).toBe(1);
    await page.goBack();
    await expect.poll(shownEmails).toHaveLength(2);

    // The second card is clicked before the page shows the first choice.
    await page.evaluate(`for (const card of document.querySelectorAll('[aria-pressed]'))
      if (/^(Invalid|Catch all)/.test(card.innerText)) card.click();`);
    await expect.poll(shownEmails).toHaveLength(4);
    expect(new URL(page.url()).searchParams.getAll('result')).toEqual(['VALID', 'INVALID', 'CATCH_ALL']);
  });

  const chooseValid = () => chooseCard('Valid');

  /** Ends with all emails in the order of the file. */
  async function filterAndSort(isPhone: boolean): Promise<void> {
    // A phone has its filters behind a button.
    if (isPhone) await emails().getByRole('button', { name: 'Filters' }).click();
    await chooseValid();
    await expect.poll(shownEmails).toEqual(['jane@exists.test', expect.stringContaining('info@exists.test')]);
    await emails().getByRole('button', { name: 'Role 1' }).click();
    await expect.poll(shownEmails).toEqual([expect.stringContaining('info@exists.test')]);
    await emails().getByRole('button', { name: 'Role 1', pressed: true }).click();
    await chooseValid();
    await expect.poll(shownEmails).toHaveLength(4);
    await emails().getByLabel('Reason').selectOption('No such mailbox (1)');
    await expect.poll(shownEmails).toEqual(['nobody@exists.test']);
    await emails().getByLabel('Reason').selectOption('All reasons');
    const provider = emails().getByRole('combobox', { name: 'Provider' });
    await expect
      .poll(() => emails().locator('datalist option').evaluateAll(labelsOf))
      .toContain('catch-all.test (1)');
    await provider.fill('catch-all.test');
    await expect.poll(shownEmails).toEqual([expect.stringContaining('any+x@catch-all.test')]);
    // The second change comes before the page shows the first.
    await provider.fill('');
    if (isPhone) {
      await emails().getByLabel('Sort by').selectOption('Email, A to Z');
      await expect.poll(async () => (await shownEmails())[3]).toBe('nobody@exists.test');
      await emails().getByLabel('Sort by').selectOption('Order of the file');
    } else {
      const header = emails().getByRole('columnheader', { name: 'Email' });
      await header.getByRole('button').click();
      await expect.poll(async () => (await shownEmails())[3]).toBe('nobody@exists.test');
      await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
      await header.getByRole('button').click();
      await expect.poll(async () => (await shownEmails())[0]).toBe('nobody@exists.test');
      await header.getByRole('button').click();
      await expect.poll(() => header.getAttribute('aria-sort')).toBe('none');
    }
    await expect.poll(async () => (await shownEmails())[0]).toBe('jane@exists.test');
  }

  async function download(): Promise<void> {
    const safe = await downloadedLines(page, () =>
      results().getByRole('button', { name: 'Safe to send: 1 email' }).click(),
    );
    expect(safe.slice(1)).toEqual(['jane@exists.test,VALID,mailbox_accepted,,exists.test,']);
    await results().getByLabel('File format').selectOption('Excel file (.xlsx)');
    const invalid = results().getByRole('button', { name: /^Invalid/ });
    await invalid.click();
    const file = page.waitForEvent('download');
    await results().getByRole('button', { name: 'Download 1 email' }).click();
    expect((await file).suggestedFilename()).toBe('traits - invalid emails.xlsx');
    await invalid.click();
    await expect.poll(shownEmails).toHaveLength(4);
    await results().getByLabel('File format').selectOption('CSV file');
  }
});

describe('§2 List detail: renaming and deleting', () => {
  beforeEach(() => openList('mixed', mixedLines, untilComplete));

  it("'Edit list name' with the rules of names, then 'Name updated successfully'; asks before deleting, then goes back to the grid without the list; both in another tab too", async () => {
    const otherTab = await page.context().newPage();
    await page.goto('/email-verification/bulk');
    await page.getByRole('link', { name: 'mixed', exact: true }).click();
    await page.getByRole('heading', { name: 'mixed', level: 1 }).waitFor();
    await chooseFromMenu(page, 'mixed', 'Rename');
    const dialog = page.getByRole('dialog', { name: 'Edit list name' });
    const field = dialog.getByLabel('List name');
    for (const [name, message] of [
      ['', 'Name required'],
      ['x', 'Name requires at least 2 characters'],
      ['x'.repeat(21), 'Name requires no more than 20 characters'],
      [
        'a/b',
        'File name requires valid characters (letters, numbers, hyphens, underscores, dots, and spaces)',
      ],
    ] as const) {
      await field.fill(name);
      await dialog.getByText(message, { exact: true }).waitFor();
    }
    await gotoAndListen(otherTab, page.url());
    await field.fill('renamed_1.0');
    await dialog.getByRole('button', { name: 'Save' }).click();

    await page.getByText('Name updated successfully').waitFor();
    await page.getByRole('heading', { name: 'renamed_1.0', level: 1 }).waitFor();
    await otherTab.getByRole('heading', { name: 'renamed_1.0', level: 1 }).waitFor();

    const listUrl = page.url();
    await chooseFromMenu(page, 'renamed_1.0', 'Delete');
    const question = page.getByRole('dialog');
    await question.getByText('Are you sure you want to delete renamed_1.0?').waitFor();
    await expect.poll(() => question.innerText()).toContain('This action cannot be undone');
    const toldElsewhere = otherTab.getByText('List renamed_1.0 deleted.').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();

    await page.getByText('List renamed_1.0 deleted.').waitFor();
    await page.waitForURL('**/email-verification/bulk');
    await page.getByText('No lists yet').waitFor();
    await toldElsewhere;
    await otherTab.waitForURL('**/email-verification/bulk');
    await otherTab.getByText('No lists yet').waitFor();

    await page.goBack();
    await page.getByText('No lists yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/email-verification/bulk');

    await page.goto(listUrl);
    await page.getByRole('heading', { name: 'Content not Found' }).waitFor();
  });
});

describe('a list that is not there', () => {
  it('shows not found, also where its id is none', async () => {
    ({ page } = await openCustomer('about:blank'));
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      await page.goto(`/email-verification/bulk/${id}`);
      await page.waitForURL('**/not-found');
      await page.getByRole('heading', { name: 'Content not Found' }).waitFor();
    }
  });
});

describe('§2 List detail: a list that is not complete', () => {
  it('says so with its percent, and offers what is done for download; deleted while it runs, it gives back what it held for the rest', async () => {
    // A host that puts it off each time keeps the list at one half.
    await openList('halfway', ['email', 'jane@exists.test', 'jane@greylist-never.test'], async () => {});
    await page.getByText('This list is still being processed').waitFor();
    await page
      .getByRole('progressbar', { name: 'Emails verified' })
      .and(page.locator('[aria-valuenow="50"]'))
      .waitFor();

    await expect.poll(() => page.getByRole('region', { name: 'Progress' }).innerText()).toContain('50%');
    const control = (name: string) =>
      page.getByRole('region', { name: 'Progress' }).getByRole('button', { name });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 640 });
      const controls = () => isOnOneLine(control('Pause'), control('Finish now'));
      await expect.poll(controls, { message: `${width} px` }).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(cardNames).toEqual(['Valid']);
    await expect
      .poll(() => downloadButton().innerText(), { message: 'the only category is preselected' })
      .toBe('Download 1 email');
    // The newest results are first, and those without one are in the order of the file.
    await expect.poll(shownEmails).toEqual(['jane@exists.test']);
    await emails().getByRole('button', { name: 'Newest first', pressed: true }).click();
    await emails().getByText('Verifying...').waitFor();
    // The ring is drawn over the whole list.
    await expect.poll(() => results().locator('svg title').allTextContents()).toContain('No result yet 1');
    const lines = await downloadedLines(page, () => downloadButton().click());
    expect(lines).toEqual([
      'email,result,reason,flags,mx_provider,suggestion',
      'jane@exists.test,VALID,mailbox_accepted,,exists.test,',
    ]);

    const balance = page.getByRole('region', { name: 'Plan and credits' });
    const before = await balance.innerText();
    await chooseFromMenu(page, 'halfway', 'Delete');
    await page
      .getByRole('dialog')
      .getByText(
        'It still runs. Results so far stay charged (1 credit), and the credits for the rest come back.',
      )
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/email-verification/bulk');

    const numberOf = (text: string) => Number(/\d+/.exec(text)?.[0]);
    await expect.poll(async () => numberOf(await balance.innerText())).toBe(numberOf(before) + 1);
  });
});
