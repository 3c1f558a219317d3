import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { newCustomer, startList } from '../support/customer.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });
const confirmFinish = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Finish ${name} now?` }).getByRole('button', { name: 'Finish now' });

/** A browser that shows no notifications, but remembers them; nobody has allowed any yet. */
const fakeNotifications = `globalThis.notices = [];
  globalThis.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (this.permission = 'granted'); }
    constructor(title, { body }) { notices.push([title, body]); }
    close() {}
  };`;

it('a list that waits for a mail host says for whom and until when; it is paused, resumed by keyboard, finished, and its unknown rows are verified again', async () => {
  const { api, open } = await newCustomer();
  const lines = ['email,note', 'jane@exists.test,n1', 'jane@greylist-never.test,n2'];
  const { id } = await startList(api, 'slow.csv', lines);
  const page = await open(`/email-verification/bulk/${id}`, { viewport: desktop });
  await page.evaluate(fakeNotifications);

  await progress(page).getByText('This list is still being processed').waitFor();
  await progress(page)
    .getByText(/^mx\.greylist-never\.test asked us to come back: 1 email waits until \d\d:\d\d$/)
    .waitFor();
  await expect.poll(() => page.title()).toBe('50% · slow · Assay');
  await page.getByRole('cell', { name: 'jane@exists.test' }).waitFor();

  await progress(page).getByRole('button', { name: 'Notify me when done' }).click();
  await progress(page).getByRole('button', { name: 'Notification on', pressed: true }).waitFor();

  await progress(page).getByRole('button', { name: 'Pause' }).click();
  await page.getByText('List slow paused.').waitFor();
  await progress(page).getByText('Paused', { exact: true }).waitFor();
  await progress(page).getByText('This list is still being processed').waitFor();
  await expect.poll(() => page.title()).toBe('Paused · slow · Assay');
  await page.getByRole('button', { name: 'Newest first' }).click();
  await page
    .getByRole('row', { name: /jane@greylist-never\.test/ })
    .getByText('Paused')
    .waitFor();
  await expectAccessibleInBothSchemes(page);

  await page.setViewportSize(phone);
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await page.getByRole('button', { name: 'Actions for slow' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Resume' }).press('Enter');
  await page.getByText('List slow resumed.').waitFor();

  await progress(page).getByRole('button', { name: 'Finish now' }).click();
  await page.getByText('Rows that were not checked become unknown and cost nothing.').waitFor();
  await confirmFinish(page, 'slow').click();
  await page.getByText('List verification successful!').waitFor();
  await page.getByRole('cell', { name: 'Not checked' }).waitFor();
  await expect.poll(() => page.title()).toBe('slow · Assay');
  await expect.poll(() => page.evaluate('notices')).toEqual([['Your list is complete', 'slow']]);

  // It says what it costs, and does nothing before that is confirmed.
  const reverify = page.getByRole('dialog', { name: 'Re-verify unknown emails' });
  await chooseFromMenu(page, 'slow', 'Re-verify unknown emails');
  await reverify.getByText('You will be charged up to 1 credit. Unknown emails are not counted.').waitFor();
  await reverify.getByRole('button', { name: 'Cancel' }).click();
  await reverify.waitFor({ state: 'hidden' });
  expect((await api.validations.listLists()).total).toBe(1);
  await chooseFromMenu(page, 'slow', 'Re-verify unknown emails');
  await reverify.getByRole('button', { name: 'Verify again' }).click();
  await page.getByText('Email verification started for list slow unknown.').waitFor();
  await page.getByRole('link', { name: 'Back to bulk verifications' }).click();
  const row = page.getByRole('row').filter({ hasText: 'slow unknown' });
  await row.getByText('Waiting', { exact: true }).waitFor();
  await chooseFromMenu(page, 'slow unknown', 'Pause');
  await row.getByText('Paused', { exact: true }).waitFor();
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await page.setViewportSize(desktop);
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await chooseFromMenu(page, 'slow unknown', 'Resume');
  await row.getByText('Waiting', { exact: true }).waitFor();
  await chooseFromMenu(page, 'slow unknown', 'Finish now');
  await confirmFinish(page, 'slow unknown').click();
  await row.getByRole('img', { name: 'Complete' }).waitFor();
  await chooseFromMenu(page, 'slow', 'Re-verify unknown emails');
  await reverify.getByRole('button', { name: 'Verify again' }).click();
  await row.nth(1).waitFor();

  const { results } = await api.validations.listLists();
  expect(results.map(({ name, run_state, source_list_id }) => [name, run_state, source_list_id])).toEqual([
    ['slow unknown', expect.any(String), id],
    ['slow unknown', null, id],
    ['slow', null, null],
  ]);
});

it('a list of people is paused, resumed, finished and verified again on a phone', async () => {
  const { api, open, person } = await newCustomer();
  await assay('users', 'flag', '--email', person.email, 'guessing_enabled', 'on', '--reason', 'A test');
  const file = new File(['name,domain\nJane Doe,dotted.test\nAnn Lee,greylist-never.test\n'], 'team.csv');
  const { upload_id } = await api.guessing.previewList({ body: { list_raw: file } });
  const { id } = await api.guessing.createList({ body: { upload_id } });
  const page = await open(`/email-guessing/${id}`, { viewport: phone });

  await progress(page)
    .getByText(/greylist-never\.test asked us to come back: 1 person waits until/)
    .waitFor();
  await progress(page).getByRole('button', { name: 'Pause' }).click();
  await progress(page).getByText('Paused', { exact: true }).waitFor();
  await page
    .getByRole('row', { name: /Ann Lee/ })
    .getByText('Paused')
    .waitFor();
  await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  await progress(page).getByRole('button', { name: 'Resume' }).click();
  await page.getByText('List team resumed.').waitFor();
  await chooseFromMenu(page, 'team', 'Finish now');
  await confirmFinish(page, 'team').click();
  await page.getByText('List guessing successful!').waitFor();
  await chooseFromMenu(page, 'team', 'Re-verify unknown people');
  const reverify = page.getByRole('dialog', { name: 'Re-verify unknown people' });
  await reverify
    .getByText('You will be charged up to 1 credit. People without a clear answer are not counted.')
    .waitFor();
  await reverify.getByRole('button', { name: 'Verify again' }).click();
  await page.getByText('Email guessing started for list team unknown.').waitFor();
});
