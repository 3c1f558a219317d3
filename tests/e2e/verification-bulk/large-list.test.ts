import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { downloadedLines } from '../support/downloads.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { csvFile, dropFiles, importButton, importDialog, offer, openBulkPage, openList } from './steps.ts';

interface Row {
  readonly line: string;
  readonly result: 'VALID' | 'INVALID' | 'CATCH_ALL' | 'UNKNOWN';
  readonly reason: string;
  readonly kind: 'first' | 'duplicate' | 'broken';
}

const address = (kind: keyof typeof outcomes, number: number): string =>
  ({
    valid: `jane+${number}@exists.test`,
    invalid: `nobody-${number}@exists.test`,
    catchAll: `person-${number}@catch-all.test`,
    unknown: `max+${number}@exists.test`,
    slow: `nobody-${number}@tarpit.test`,
    greylisted: `nobody-${number}@greylist.test`,
  })[kind];

const broken = { result: 'INVALID', reason: 'syntax', kind: 'broken' } as const;
const duplicate = { result: 'VALID', reason: 'mailbox_accepted', kind: 'duplicate' } as const;
const outcomes = {
  valid: { result: 'VALID', reason: 'mailbox_accepted', kind: 'first' },
  invalid: { result: 'INVALID', reason: 'no_such_mailbox', kind: 'first' },
  slow: { result: 'INVALID', reason: 'no_such_mailbox', kind: 'first' },
  greylisted: { result: 'INVALID', reason: 'no_such_mailbox', kind: 'first' },
  catchAll: { result: 'CATCH_ALL', reason: 'catch_all', kind: 'first' },
  unknown: { result: 'UNKNOWN', reason: 'mailbox_full', kind: 'first' },
} as const;

/** A row of the customer's file with its expected result; all kinds are mixed. */
function buildRow(number: number): Row {
  const line = (cell: string) => `${number},"Person, number ${number}",${cell}`;
  if (number % 25 === 24) return { line: line(`broken-${number}`), ...broken };
  if (number % 20 === 19)
    return { line: line(`" ${address('valid', number - 19).toUpperCase()}"`), ...duplicate };
  const kind = kindOf(number);
  return { line: line(address(kind, number)), ...outcomes[kind] };
}

function kindOf(number: number): keyof typeof outcomes {
  // One host answers after three seconds and one greylists, so the progress moves in steps.
  if (number % 10 === 8) return 'slow';
  if (number % 10 === 5) return 'greylisted';
  if (number % 5 === 1) return 'invalid';
  if (number % 10 === 2) return 'catchAll';
  if (number % 20 === 3) return 'unknown';
  return 'valid';
}

const rows = Array.from({ length: 2_000 }, (_, number) => buildRow(number));
const header = 'id,full name,Work email';
const file = csvFile('autumn 2026.csv', [header, ...rows.map(({ line }) => line)]);
const firsts = rows.filter(({ kind }) => kind === 'first');
const countOf = (result: Row['result']) => firsts.filter((row) => row.result === result).length;
const exported = ({ line, result, reason }: Row) => `${line},${result},${reason}`;
const exportHeader = `${header},result,reason`;
/** Without flags, provider and suggestion, which no other test of this file is about. */
const withoutTraits = (line: string) => line.replace(/,[^,]*,[^,]*,[^,]*$/, '');

/** Records every percent that a progress bar shows; the returned function reads them in order. */
async function recordPercents(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`{
    const seen = (globalThis.percentsSeen = []);
    new MutationObserver(() => {
      for (const bar of document.querySelectorAll('main [role="progressbar"]')) {
        const percent = Number(bar.getAttribute('aria-valuenow'));
        if (percent !== seen.at(-1)) seen.push(percent);
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  }`);
  return () => page.evaluate('globalThis.percentsSeen');
}

it('§2 2,000 rows with duplicates and broken ones, from drop to export: counts, progress, charge and downloads are exact', async () => {
  const page = await openBulkPage({ credits: 3_000 });

  // The offer counts what is billable, duplicated and broken.
  await importButton(page).click();
  await dropFiles(page, file);
  await importDialog(page).getByRole('button', { name: 'Verify' }).click();
  await offer(page).waitFor();
  const excluded = (kind: Row['kind']) => rows.filter((row) => row.kind === kind).length;
  const [duplicates, malformed] = [excluded('duplicate'), excluded('broken')];
  const text = await offer(page).innerText();

  expect(firsts.length + duplicates + malformed).toBe(2_000);
  expect(text).toContain(`You will be charged up to ${firsts.length.toLocaleString('en-US')} credits.`);
  expect(text).toContain(`${duplicates} duplicated, ${malformed} not well-formed`);
  expect(text).toContain('emails in column “Work email”');

  // Its percent moves up, in the grid and on its page, until it is complete.
  const percents = await recordPercents(page);
  const told = page.getByText('List verification successful!').waitFor();
  await offer(page).getByRole('button', { name: 'Confirm' }).click();
  await openList(page, 'autumn 2026');
  await told;
  await page.getByText('This list is still being processed').waitFor({ state: 'hidden' });
  const seen = await percents();

  expect(seen.length).toBeGreaterThan(1);
  expect(seen.toSorted((left, right) => left - right)).toEqual(seen);
  expect(seen.some((percent) => percent > 0 && percent < 100)).toBe(true);

  // §2 List detail: the donut and the cards count every distinct, well-formed address once.
  const results = page.getByRole('region', { name: 'Results' });
  const words = `Valid ${countOf('VALID').toLocaleString('en-US')}, Invalid ${countOf('INVALID')}, Catch all ${countOf('CATCH_ALL')}, Unknown ${countOf('UNKNOWN')}`;
  await results
    .getByRole('img', { name: `${firsts.length.toLocaleString('en-US')} completed: ${words}` })
    .waitFor();

  await expect
    .poll(() => results.getByText('completed').locator('..').innerText())
    .toMatch(/^1\.\dk\s+completed$/);
  for (const [card, result] of [
    ['Valid', 'VALID'],
    ['Invalid', 'INVALID'],
    ['Catch all', 'CATCH_ALL'],
    ['Unknown', 'UNKNOWN'],
  ] as const) {
    await results.getByRole('button', { name: new RegExp(`^${card} ${countOf(result)} `) }).waitFor();
  }

  // §1: unknown results are not charged.
  const charged = firsts.length - countOf('UNKNOWN');
  const balance = (3_000 - charged).toLocaleString('en-US');
  await page.getByTitle(`${balance} credits`).first().waitFor();

  expect(countOf('UNKNOWN')).toBeGreaterThan(0);

  // §2 List detail: the download of chosen categories is exactly their rows, in the order of the file.
  for (const card of [/^Catch all/, /^Unknown/]) await results.getByRole('button', { name: card }).click();
  const chosen = firsts.filter(({ result }) => result === 'CATCH_ALL' || result === 'UNKNOWN');
  // Messages pass while the file is read.
  const messages = Promise.all([
    page.getByText('Generating autumn 2026 list export.').waitFor(),
    page.getByText('Success! Export generated').waitFor(),
  ]);
  const chosenLines = await downloadedLines(page, () =>
    page.getByRole('button', { name: `Download ${chosen.length} emails` }).click(),
  );

  expect(chosenLines.map(withoutTraits)).toEqual([exportHeader, ...chosen.map(exported)]);
  await messages;

  // §2 Row menu: 'Download all emails' is the customer's own file row for row, results added.
  const allLines = await downloadedLines(page, () =>
    chooseFromMenu(page, 'autumn 2026', 'Download all emails'),
  );

  expect(allLines.map(withoutTraits)).toEqual([exportHeader, ...rows.map(exported)]);

  // §2 Row menu: 'Download valid emails' is the valid ones, each once.
  const validLines = await downloadedLines(page, () =>
    chooseFromMenu(page, 'autumn 2026', 'Download valid emails'),
  );

  expect(validLines.map(withoutTraits)).toEqual([
    exportHeader,
    ...firsts.filter(({ result }) => result === 'VALID').map(exported),
  ]);
});
