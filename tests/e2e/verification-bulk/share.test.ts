import { expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { newCustomer, startList, untilComplete } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

it('a link to a download is created, copied and followed without a sign-in, says when it expires and was used, and is revoked', async () => {
  const { api, open } = await newCustomer();
  const { id } = await startList(api, 'mixed.csv', ['email', 'jane@exists.test', 'nobody@exists.test']);
  await untilComplete(api, id);
  const page = await open(`/email-verification/bulk/${id}`, {
    viewport: desktop,
    permissions: clipboardPermissions,
  });
  const dialog = page.getByRole('dialog', { name: 'Share a download' });
  const share = page.getByRole('button', { name: 'Share a link' });

  const results = page.getByRole('region', { name: 'Results' });
  await results.getByRole('button', { name: /^Valid/ }).click();
  await results.getByRole('button', { name: 'Download 1 email' }).waitFor();
  await share.click();
  await dialog.getByText('There is no link to this list.').waitFor();
  await dialog.getByLabel('Works for').selectOption('1 day');
  const held = Promise.withResolvers<void>();
  await page.route('**/links', (route) => held.promise.then(() => route.continue()));
  const create = dialog.getByRole('button', { name: 'Create link' });
  await create.click();
  await expect.poll(() => create.isDisabled()).toBe(true);
  // The dialog stays until it has shown the link.
  await page.keyboard.press('Escape');
  held.resolve();
  await dialog.getByText('mixed - valid emails.csv').waitFor();
  await dialog.getByText(/^Expires \w{3} \d\d, \d{4}, \d\d:\d\d · never used$/).waitFor();
  const url = await copiedBy(page, () => dialog.getByRole('button', { name: 'Copy', exact: true }).click());
  expect(url).toBe(await dialog.getByLabel('New link').inputValue());
  expect(await (await fetch(url)).text()).toContain('jane@exists.test,VALID');
  // The link is shown once, so only 'Done' lets the dialog close.
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.getByLabel('New link').inputValue()).toBe(url);
  await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);

  await page.setViewportSize(phone);
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByLabel('New link').waitFor({ state: 'hidden' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await share.click();
  await dialog.getByText(/ · last used \w{3} \d\d, \d{4}, \d\d:\d\d$/).waitFor();
  await expect.poll(() => dialog.getByLabel('New link').count(), { message: 'shown once' }).toBe(0);

  await dialog.getByRole('button', { name: 'Revoke mixed - valid emails.csv' }).press('Enter');
  await dialog.getByRole('button', { name: 'Keep' }).press('Enter');
  await dialog.getByRole('button', { name: 'Revoke mixed - valid emails.csv' }).press('Enter');
  await dialog.getByText('The link stops working at once. Revoke it?').waitFor();
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('Link revoked.').waitFor();
  await dialog.getByText('There is no link to this list.').waitFor();
  expect((await fetch(url)).status).toBe(404);

  // The other way round: created on a phone, revoked on a desktop.
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByLabel('New link').waitFor();
  const second = await dialog.getByLabel('New link').inputValue();
  expect((await fetch(second)).status).toBe(200);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Revoke mixed - valid emails.csv' }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await dialog.getByText('There is no link to this list.').waitFor();
  await dialog.getByLabel('New link').waitFor({ state: 'hidden' });
  expect((await fetch(second)).status).toBe(404);
});
