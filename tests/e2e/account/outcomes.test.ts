import { describe, expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

// After the check, which the outcome then stands beside.
const day = new Date(Date.now() + 3_600_000).toISOString();
const table = [
  'who,what,when,said',
  `jane@exists.test,bounce,${day},550 5.1.1 User unknown`,
  `max@exists.test,delivered,${day},`,
  `eva@exists.test,opened,${day},`,
  `nobody,bounce,${day},`,
].join('\n');
const mail = `From: MAILER-DAEMON@mx.test\nSubject: Undelivered Mail\nDate: ${new Date(day).toUTCString()}\nMessage-ID: <1@mx.test>\n\n<jane@exists.test>: host mx.test said:\n    550 5.1.1 User unknown\n`;

describe.each([
  ['light', 1440],
  ['dark', 390],
] as const)('outcomes, %s, %i px wide', (colorScheme, width) => {
  it('are uploaded after a look at what was understood, found and counted, each event once', async () => {
    const customer = await newCustomer();
    await customer.api.validations.startSingle({
      query: { wait: 30 },
      body: { email_address: 'jane@exists.test' },
    });
    const page = await customer.open('/account', { colorScheme, viewport: { width, height: 900 } });
    await page.getByRole('link', { name: 'View outcomes' }).click();
    await page.getByText('No outcomes yet').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const choose = (name: string, contents: string) =>
      page
        .getByLabel('File of outcomes')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(contents) });

    await choose('bounces.csv', table);
    const dialog = page.getByRole('dialog', { name: 'bounces.csv' });
    await dialog
      .getByText('4 rows, 2 outcomes. Left out: 1 row with nothing to keep, 1 that cannot be read.')
      .waitFor();
    await dialog.getByText('Row 5: This is no email address: “nobody”.').waitFor();
    await dialog.getByText('Hard bounce, no such mailbox', { exact: false }).waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);
    await dialog.getByRole('combobox', { name: 'When' }).selectOption('None');
    await dialog.getByText('The file does not say when. Choose below.').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Add outcomes' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Day of all').fill(day.slice(0, 10));
    await dialog.getByRole('button', { name: 'Add 2 outcomes' }).waitFor();
    await dialog.getByRole('combobox', { name: 'When' }).selectOption('3: when');
    await dialog.getByRole('button', { name: 'Add 2 outcomes' }).click();
    await page.getByText('2 added.').waitFor();
    const max = page.getByRole('row').filter({ hasText: 'max@exists.test' });
    await max.waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);

    await choose('bounce.eml', mail);
    await page.getByRole('button', { name: 'Add 1 outcome', exact: true }).click();
    await page.getByText('1 known already.').waitFor();

    await choose('nothing.csv', '');
    const refused = page.getByRole('dialog', { name: 'nothing.csv' });
    await refused.getByRole('alert').getByText('The file is empty', { exact: false }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await refused.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('combobox', { name: 'What happened' }).selectOption('Hard bounce (1)');
    await max.waitFor({ state: 'hidden' });
    await page.getByRole('searchbox', { name: 'Search outcomes' }).fill('nobody at all');
    await page.getByText('No outcome matches').waitFor();
    await page.getByRole('button', { name: 'Show all outcomes' }).click();
    await max.waitFor();

    const shown = async () => (await customer.api.validations.listSingles()).results[0]?.outcomes;
    await expect.poll(shown).toHaveLength(1);
    await page.goto('/email-verification/single');
    const row = page.getByRole('row').filter({ hasText: 'jane@exists.test' });
    await row.getByRole('button', { name: /Valid/ }).click();
    await page
      .getByRole('region', { name: 'After sending' })
      .getByText(/^bounced .*: no such mailbox$/)
      .waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  });
});
