import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer } from '../support/customer.ts';
import { downloadedLines } from '../support/downloads.ts';

it('records: retention says what it deletes before it is chosen, the activity log is searched, filtered and downloaded, and the data comes as one archive', async () => {
  const customer = await newCustomer();
  const list = await customer.api.validations.createListFromEmails({
    body: { name: 'Spring', emails: ['jane@exists.test'] },
  });
  await customer.api.validations.deleteList({ params: { list_id: list.id } });
  const page = await customer.open('/account');
  const records = page.getByRole('region', { name: 'Records' });
  const retention = records.getByRole('combobox', { name: 'Keep lists and single verifications' });
  await records.getByText('stay until you delete them.').waitFor();

  await retention.selectOption('7 days');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing is older than 7 days, so nothing is deleted now.').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => retention.inputValue()).toBe('forever');
  await retention.selectOption('7 days');
  await dialog.getByRole('button', { name: 'Delete after this time' }).click();
  await records.getByText('are deleted 7 days after you created them').waitFor();
  await dialog.waitFor({ state: 'hidden' });

  const [archive] = await Promise.all([
    page.waitForEvent('download'),
    records.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(archive.suggestedFilename()).toBe('Assay data.zip');
  expect((await readFile(await archive.path())).subarray(0, 2).toString()).toBe('PK');

  await records.getByRole('link', { name: 'View activity' }).click();
  const rows = page.getByRole('table').getByRole('row');
  await page.getByRole('cell', { name: 'Retention changed' }).waitFor();
  await page.getByRole('cell', { name: 'Signed in' }).first().waitFor();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('combobox', { name: 'Kind of activity' }).selectOption('Deletions');
  await expect.poll(async () => (await rows.allInnerTexts()).length).toBe(2);
  await expect.poll(() => rows.nth(1).innerText()).toContain('Spring');
  await page.getByRole('searchbox', { name: 'Search activity' }).fill('summer');
  await page.getByText('No activity matches').waitFor();
  await page.getByRole('button', { name: 'Show all activity' }).click();
  await page.getByRole('cell', { name: 'Retention changed' }).waitFor();
  const lines = await downloadedLines(page, () => page.getByRole('button', { name: 'Download CSV' }).click());
  expect(lines[0]).toBe(
    'number,date,kind,activity,about,list_id,by,api_key_id,api_key_name,address,user_agent',
  );
  expect(lines.some((line) => line.includes('setting.retention,Retention changed,7 days,,customer'))).toBe(
    true,
  );
});

it('the theme is chosen on the account page, remembered, and there from the first paint on; each kind of mail can be turned off', async () => {
  const page = await (await newCustomer()).open('/account', { colorScheme: 'light' });
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  const theme = page.getByRole('combobox', { name: 'Theme' });
  await theme.waitFor();
  await expect.poll(scheme).toBe('light');

  await theme.selectOption('Dark');
  await expect.poll(scheme).toBe('dark');
  await expect.poll(() => accessibilityProblems(page, 'colours')).toEqual([]);

  // Nothing of the app has run yet when the document is there.
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.reload({ waitUntil: 'domcontentloaded' });
  await expect.poll(scheme).toBe('dark');
  await page.unroute('**/assets/*.js');

  // This product has no mail relay, so it does not mention mails.
  const wishes = { list_mails: true, balance_mails: true };
  await page.route('**/api/users/me', async (route) => {
    if (route.request().method() === 'PATCH') Object.assign(wishes, route.request().postDataJSON());
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...wishes } });
  });
  await page.reload();
  const notifications = page.getByRole('region', { name: 'Notifications' });
  const balanceMails = notifications.getByRole('checkbox', { name: /balance is low or automatic top-up/ });
  // Not `uncheck`, which looks at once whether it did: the page shows the wish when its call begins.
  await balanceMails.click();
  await expect.poll(() => balanceMails.isChecked()).toBe(false);
  await expect.poll(() => wishes).toEqual({ list_mails: true, balance_mails: false });
  await expect
    .poll(() =>
      notifications
        .getByRole('checkbox', { name: 'Email me when a list is complete or has failed' })
        .isChecked(),
    )
    .toBe(true);
  await theme.selectOption('Same as system');
  await expect.poll(scheme).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(scheme).toBe('dark');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
