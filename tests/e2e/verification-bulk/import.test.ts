import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildOds, odsCell, odsRow } from '../../../apps/server/src/platform/workbooks/testing/build-ods.ts';
import { buildWorkbook } from '../../../apps/server/src/platform/workbooks/testing/build-workbook.ts';
import { buildZip } from '../../../apps/server/src/platform/workbooks/testing/build-zip.ts';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import {
  browseFor,
  csvFile,
  dropFiles,
  importButton,
  importDialog,
  offer,
  openBulkPage,
  previewFile,
} from './steps.ts';

let page: Page;
beforeEach(async () => {
  page = await openBulkPage();
});

const focusedText = () => page.evaluate<string>('document.activeElement.textContent');
const textOf = (dialog: typeof importDialog) => dialog(page).innerText();
const verifyButton = () => importDialog(page).getByRole('button', { name: 'Verify' });
const confirmButton = () => offer(page).getByRole('button', { name: 'Confirm' });
const cancel = async (dialog: typeof importDialog) => {
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'hidden' });
};

const goodFile = csvFile('spring.csv', ['email', 'jane@exists.test']);
const picture = { name: 'cat.png', mimeType: 'image/png', text: 'not a list' };

/** Whether the words are what is seen at their place. */
async function isInSight(words: Locator): Promise<boolean> {
  const { x, y, width, height } = (await words.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
  const seen = await page.evaluate<string | undefined>(
    `document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.textContent`,
  );
  return seen === (await words.textContent());
}

describe('§2 Import dialog', () => {
  it("says what it takes, takes and gives back the focus, and accepts a .csv file that is browsed for or dropped; others are ignored or bring 'Please drop a valid CSV file'", async () => {
    await importButton(page).click();
    await expect
      .poll(() => textOf(importDialog))
      .toContain(
        "Import a CSV with the emails you want to validate. We'll try to automatically detect the fields and add a column with the result.",
      );
    await expect.poll(() => verifyButton().isDisabled()).toBe(true);
    await expect.poll(focusedText).toBe('Browse');
    await cancel(importDialog);
    await expect.poll(focusedText).toBe('Import email list');

    await importButton(page).click();
    await browseFor(page, picture);
    await expect.poll(() => textOf(importDialog)).not.toContain('cat.png');
    await expect.poll(() => verifyButton().isDisabled()).toBe(true);
    await browseFor(page, goodFile);
    await importDialog(page).getByText('spring.csv').waitFor();
    await expect.poll(() => verifyButton().isEnabled()).toBe(true);
    // Browsers do not notice that a file is chosen again, unless the field is empty.
    await expect.poll(() => importDialog(page).getByLabel('CSV file', { exact: true }).inputValue()).toBe('');
    await cancel(importDialog);

    const alert = importDialog(page).getByText('Please drop a valid CSV file');
    await importButton(page).click();
    for (const dropped of [[picture], [goodFile, picture]]) {
      await dropFiles(page, ...dropped);
      await alert.waitFor();
      await expect.poll(() => verifyButton().isDisabled()).toBe(true);
    }
    await dropFiles(page, { ...goodFile, mimeType: 'application/vnd.ms-excel' });
    await importDialog(page).getByText('spring.csv').waitFor();
    await alert.waitFor({ state: 'hidden' });
    await expect.poll(() => verifyButton().isEnabled()).toBe(true);
  });
});

describe('§2 Bulk confirmation dialog, with a valid preview', () => {
  it('shows the cost, what is excluded, what was detected, and the headers box ticked', async () => {
    await previewFile(
      page,
      csvFile('spring.csv', [
        ...['Name;E-Mail', 'Jane;jane@exists.test', 'J;JANE@exists.test', 'Nobody;nobody@exists.test'],
        ...['Broken;not-an-address', 'Broken too;a b@exists.test'],
      ]),
    );
    const text = await textOf(offer);
    expect(text).toContain('You will be charged up to 2 credits.');
    expect(text).toContain('Unknown emails are not counted.');
    expect(text).toMatch(/Excluded emails\s+1 duplicated, 2 not well-formed\s+3/);
    expect(text).toContain('Read as UTF-8, separated by semicolons, emails in column “E-Mail”.');
    await expect.poll(() => offer(page).getByLabel('This CSV file includes headers').isChecked()).toBe(true);
    await expect.poll(() => confirmButton().isEnabled()).toBe(true);
    // On a small phone the offer is longer than the screen, and its price is beside Confirm.
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => isInSight(offer(page).getByText('Up to 2 credits', { exact: true }))).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await cancel(offer);
    await expect.poll(focusedText).toBe('Import email list');

    // Two columns hold emails, and a row is above the table.
    await previewFile(
      page,
      csvFile('two.csv', ['sep=;', 'Work email;E-Mail', 'jane@exists.test;joe@exists.test']),
    );
    await expect
      .poll(() => textOf(offer))
      .toContain(
        'Emails are in column “Work email” and column “E-Mail”. Only those in column “Work email” are verified.',
      );
    await expect.poll(() => textOf(offer)).toContain('The row above the table is left out.');
    await cancel(offer);

    // An email in the first row: the ticked box would leave it out.
    // Its name can be changed before it is paid.
    await previewFile(page, csvFile('autumn.csv', ['email', 'jane@exists.test']));
    const nameField = offer(page).getByLabel('List name');
    await expect.poll(() => nameField.inputValue()).toBe('autumn');
    await nameField.fill('x');
    await offer(page).getByText('Name requires at least 2 characters').waitFor();
    await expect.poll(() => confirmButton().isDisabled()).toBe(true);
    await nameField.fill('Autumn fair');
    await expect.poll(() => textOf(offer)).toMatch(/Balance after\s+at least\s+999/);
    await confirmButton().click();
    await page.getByText('Email verification started for list Autumn fair.').waitFor();
    await page.getByRole('link', { name: 'Autumn fair', exact: true }).waitFor();

    await previewFile(page, csvFile('headless.csv', ['jane@exists.test', 'nobody@exists.test']));
    const warning = offer(page).getByText('The first row holds an email, not headers.');
    await warning.waitFor();
    await expect.poll(() => textOf(offer)).toMatch(/Emails to verify\s+1\b/);
    await expect.poll(() => textOf(offer)).toContain('You will be charged up to 1 credit.');
    await offer(page).getByLabel('This CSV file includes headers').uncheck();
    await warning.waitFor({ state: 'hidden' });
    await expect.poll(() => textOf(offer)).toMatch(/Emails to verify\s+2\b/);
    await expect.poll(() => textOf(offer)).toContain('You will be charged up to 2 credits.');
  });

  it("has no Confirm without anything to verify, and when short of credits: 'You're N credits short.', and 'Buy credits' goes to billing", async () => {
    await previewFile(page, csvFile('broken.csv', ['email', 'broken', 'broken, too']));
    await expect.poll(() => textOf(offer)).toContain('There is no email in this file that can be verified.');
    await expect.poll(() => confirmButton().isDisabled()).toBe(true);
    await expect.poll(() => offer(page).getByRole('button', { name: 'Buy credits' }).count()).toBe(0);
    await cancel(offer);

    const many = Array.from({ length: 1_003 }, (_, number) => `jane+${number}@exists.test`);
    await previewFile(page, csvFile('large.csv', ['email', ...many.slice(0, 1_001)]));
    await expect.poll(() => textOf(offer)).toContain("You're 1 credit short.");
    await cancel(offer);

    await previewFile(page, csvFile('large.csv', ['email', ...many]));
    await expect.poll(() => textOf(offer)).toContain("You're 3 credits short.");
    await expect.poll(() => confirmButton().isDisabled()).toBe(true);
    // The reason stays in sight beside the button, however much of the offer does not.
    for (const [width, height] of [
      [1280, 800],
      [320, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      const shortage = offer(page).getByRole('alert').getByText("You're 3 credits short.");
      await expect.poll(() => isInSight(shortage), { message: `${width} px` }).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await offer(page).getByRole('button', { name: 'Buy credits' }).click();
    await page.waitForURL('**/billing/packs');
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    await page.goBack();
    await importButton(page).waitFor();
    await expect
      .poll(() => offer(page).isVisible(), { message: 'leaving the screen resets the state' })
      .toBe(false);
    // The file is not lost: the import goes on from here too.
    await page.getByText('Your import of large.csv waits for you.').waitFor();
    await page.getByRole('button', { name: 'Continue import' }).click();
    await expect.poll(() => textOf(offer)).toContain("You're 3 credits short.");
  });
});

describe('a file whose column is not found', () => {
  it('shows its rows, and the customer chooses; a sheet without emails leads on to another sheet', async () => {
    await previewFile(page, csvFile('cards.csv', ['name,contact', 'Jane,see card', 'Max,to come']));
    await expect.poll(() => textOf(offer)).toContain('This file is not valid.');
    await offer(page).getByLabel('Email column').selectOption('contact: see card');
    await expect.poll(() => textOf(offer)).toContain('There is no email in this file that can be verified.');
    await cancel(offer);

    const workbook = buildWorkbook([
      { name: 'Clients', rows: [['Email'], ['jane@exists.test']] },
      { name: 'Notes', rows: [['topic'], ['nothing']] },
    ]);
    await previewFile(page, { name: 'book.xlsx', mimeType: '', text: workbook });
    await offer(page).getByLabel('Sheet').selectOption('Notes');
    await expect.poll(() => textOf(offer)).toContain('This file is not valid.');
    await expectAccessibleInBothSchemes(page);
    await offer(page).getByLabel('Sheet').selectOption('Clients');
    await expect.poll(() => textOf(offer)).toContain('You will be charged up to 1 credit.');
  });

  it('of a zip file, the customer chooses the file or the sheet that is read, and the list gets its name', async () => {
    const spreadsheet = buildOds(
      { name: 'Clients', rows: odsRow(odsCell('jane@exists.test')) },
      {
        name: 'Leads',
        rows: ['Mail', 'max@exists.test', 'jane@exists.test'].map((cell) => odsRow(odsCell(cell))).join(''),
      },
    );
    const zip = buildZip([
      { name: 'notes.txt', bytes: 'nothing to verify' },
      { name: 'shops/spring.csv', bytes: 'Name;Mail\nJane;jane@exists.test\n' },
      { name: 'all.ods', bytes: spreadsheet },
    ]);
    await previewFile(page, { name: 'year.zip', mimeType: 'application/zip', text: zip });
    await expect
      .poll(() => textOf(offer))
      .toContain('Read from file “shops/spring.csv”, emails in column “Mail”.');
    await expect.poll(() => offer(page).getByLabel('List name').inputValue()).toBe('spring');
    const choice = offer(page).getByLabel('File', { exact: true });
    await choice.selectOption('notes.txt');
    await expect.poll(() => textOf(offer)).toContain('Choose the column below, or another file.');
    await expectAccessibleInBothSchemes(page);
    await choice.selectOption('all.ods: Leads');
    await expect.poll(() => textOf(offer)).toContain('You will be charged up to 2 credits.');
  });

  it('any of many columns is found by its name or number, and is in sight', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `field ${index + 1}`);
    const values = names.map((_, index) => (index === 2 ? 'max@exists.test' : 'x'));
    await previewFile(
      page,
      csvFile('wide.csv', [
        [...names, 'Mail'].join(),
        [...values, 'jane@exists.test'].join(),
        [...values.map(() => 'x'), 'nobody@exists.test'].join(),
      ]),
    );
    await expect.poll(() => textOf(offer)).toContain('emails in column “Mail”.');
    const column = offer(page).getByLabel('Email column');
    await expect.poll(() => column.inputValue()).toBe('Mail');
    await expect.poll(() => isMarkedInSight()).toBe(true);
    await column.fill('3');
    await column.press('Enter');
    await expect.poll(() => textOf(offer)).toContain('emails in column “field 3”.');
    await expect.poll(() => isMarkedInSight()).toBe(true);
  });

  const isMarkedInSight = () =>
    page.evaluate<boolean>(`(() => {
      const cell = document.querySelector('th[data-marked]').getBoundingClientRect();
      const region = document.querySelector('[aria-label="First rows"]').getBoundingClientRect();
      return cell.left >= region.left - 1 && cell.right <= region.right + 1;
    })()`);
});

describe('§2 Bulk confirmation dialog, without a valid preview', () => {
  const spreadsheet = Buffer.concat([Buffer.from('504b030414000600', 'hex'), Buffer.alloc(200, 7)]);

  it("says what is wrong, has no Confirm, and 'Download sample file' gives a file that is taken", async () => {
    for (const [text, message] of [
      [
        'name,city\nJane,Bern\nMax,Basel\n',
        'No column with email addresses was found. Check the file, or give the column the name "email".',
      ],
      [spreadsheet, 'This workbook or zip file is damaged. Save it again, or as CSV, and try again.'],
      ['', 'The file is empty. Choose a CSV file with email addresses.'],
    ] as const) {
      if (await offer(page).isVisible()) await cancel(offer);
      await previewFile(page, { name: 'refused.csv', mimeType: 'text/csv', text });

      await expect.poll(() => textOf(offer)).toContain('This file is not valid.');
      await expect.poll(() => textOf(offer)).toContain(message);
      await expect.poll(() => confirmButton().isDisabled()).toBe(true);
    }

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      offer(page).getByRole('link', { name: 'Download sample file' }).click(),
    ]);
    await cancel(offer);
    const name = download.suggestedFilename();
    const text = await readFile(await download.path());
    await previewFile(page, { name, mimeType: 'text/csv', text });

    expect(name).toBe('sample-emails.csv');
    await expect.poll(() => textOf(offer)).toContain('You will be charged up to 3 credits.');
    await cancel(offer);

    const folder = await mkdtemp(join(tmpdir(), 'assay-chosen-'));
    const path = join(folder, 'changed.csv');
    await writeFile(path, 'jane@exists.test');
    await importButton(page).click();
    const chooser = page.waitForEvent('filechooser');
    await importDialog(page).getByRole('button', { name: 'Browse' }).click();
    await (await chooser).setFiles(path);
    await importDialog(page).getByText('changed.csv').waitFor();
    await writeFile(path, 'jane@exists.test, max@exists.test');
    await verifyButton().click();
    await offer(page).getByText('It was changed or moved after you chose it. Choose it again.').waitFor();
    await rm(folder, { recursive: true });
  });
});

describe('confirming', () => {
  it('§2 goes to the first page of /bulk and says that the list is started; the file travels once; with_headers is sent as the box says', async () => {
    const calls: [path: string, body: string | null][] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes('/lists_bulk')) calls.push([pathname, request.postData()]);
    });
    await page.getByRole('tab', { name: 'Single verifications' }).click();
    await page.waitForURL('**/email-verification/single');
    // Further presses of Enter after the one on Verify spend nothing.
    await importButton(page).click();
    await browseFor(page, csvFile('two.csv', ['jane@exists.test', 'nobody@exists.test']));
    await verifyButton().focus();
    await page.keyboard.press('Enter');
    await offer(page).waitFor();
    await expect.poll(() => confirmButton().isEnabled()).toBe(true);
    for (let press = 0; press < 3; press++) await page.keyboard.press('Enter');
    await expect.poll(() => offer(page).isVisible()).toBe(true);
    expect(calls.map(([path]) => path)).toEqual(['/api/validations/lists_bulk/validation']);
    await confirmButton().click();

    await page.getByText('Email verification started for list two.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/email-verification/bulk');
    expect(new URL(page.url()).search).toBe('');
    const paths = calls.map(([path]) => path);
    expect(paths).toEqual(['/api/validations/lists_bulk/validation', '/api/validations/lists_bulk']);
    const created = calls[1]?.[1];
    expect(created).toMatch(/name="upload_id"/);
    expect(created).toMatch(/name="with_headers"\r\n\r\ntrue/);
    expect(created).not.toContain('list_raw');

    // A cleared box verifies the first row too.
    await previewFile(page, csvFile('all-rows.csv', ['jane@exists.test', 'nobody@exists.test']));
    await offer(page).getByLabel('This CSV file includes headers').uncheck();
    await confirmButton().click();
    const row = page.getByRole('row', { name: /all-rows/ });
    await row.getByRole('cell').nth(1).getByText('2', { exact: true }).waitFor();
    const headed = page.getByRole('row', { name: /two/ });
    await expect.poll(() => headed.getByRole('cell').nth(1).innerText()).toBe('1');
  });
});

describe('uploading', () => {
  it('shows how much of the file has been sent, and Cancel stops it', async () => {
    const slow = await page.context().newCDPSession(page);
    await slow.send('Network.enable');
    await slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 30_000,
    });
    const large = Array.from({ length: 60_000 }, (_, number) => `person-${number}@catch-all.test`);
    await importButton(page).click();
    await browseFor(page, csvFile('large.csv', ['email', ...large]));
    await verifyButton().click();

    const bar = importDialog(page).getByRole('progressbar', { name: 'Uploading large.csv' });
    const percents = new Set<number>();
    while (percents.size < 3) percents.add(Number(await bar.getAttribute('aria-valuenow')));
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/lists_bulk'));
    await cancel(importDialog);

    expect((await stopped).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect([...percents].sort((left, right) => left - right)).toEqual([...percents]);
  });
});
