import pg from 'pg';
import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { findRun } from '../../../apps/server/bin/embedded/run-file.ts';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';
import { csvFile, startList } from './steps.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** Too long to be copied in the call, with few addresses. */
const longFile = (name: string) =>
  csvFile(name, [
    'email,note',
    ...Array.from({ length: 600 }, (_, n) => `jane+${n}@exists.test,${'x'.repeat(1_000)}`),
  ]);

const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });
const deletion = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Are you sure you want to delete ${name}?` });

/** Lets the jobs that copy the rows of this customer's lists wait until they are released. */
async function holdBackRows(ownerId: string) {
  const run = await findRun(inject('product').dataFolder);
  const client = new pg.Client({ connectionString: run?.environment.DATABASE_URL });
  await client.connect();
  const name = `hold_back_${ownerId.replaceAll('-', '')}`;
  await client.query(`
    create function ${name}() returns trigger language plpgsql as $$
    begin new.start_after := now() + interval '1 hour'; return new; end $$`);
  await client.query(`
    create trigger ${name} before insert on queue.job for each row
    when (new.name = 'validations.prepare-list' and new.data ->> 'ownerId' = '${ownerId}')
    execute function ${name}()`);
  return {
    /** As the job does while it copies. */
    noteCopied: (rows: number) =>
      client.query('update lists set rows_copied = $1 where owner_id = $2', [rows, ownerId]),
    loseFile: () => client.query('delete from uploads where owner_id = $1', [ownerId]),
    release: () =>
      client.query(
        `update queue.job set start_after = now() where name = 'validations.prepare-list' and data ->> 'ownerId' = $1`,
        [ownerId],
      ),
    close: async () => {
      await client.query(`drop trigger ${name} on queue.job`);
      await client.query(`drop function ${name}()`);
      await client.end();
    },
  };
}

it('a long list is there at once: grid and page say how far its rows are copied, and then it runs', async () => {
  const { api, open } = await newCustomer();
  const { id: ownerId } = await api.users.getMe();
  const rows = await holdBackRows(ownerId);
  try {
    const page = await open('/email-verification/bulk', { viewport: desktop });
    await startList(page, longFile('long.csv'));

    await page.getByText('Preparing… 0 of 600').waitFor();
    await expect.poll(() => page.title()).toMatch(/^Preparing · /);
    await rows.noteCopied(240);
    await page.reload();
    await page.getByText('Preparing… 240 of 600').waitFor();
    await page.getByRole('progressbar', { name: 'Rows copied of long' }).waitFor();
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('link', { name: 'long', exact: true }).click();
    await progress(page).getByText('This list is still being processed').waitFor();
    await progress(page).getByText('Preparing… 240 of 600').waitFor();
    await page.getByText('The rows of your file are being copied').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Actions for long' }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual(['Rename', 'Pause', 'Delete']);
    await page.keyboard.press('Escape');
    await page.setViewportSize(phone);
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);

    await progress(page).getByRole('button', { name: 'Pause' }).click();
    await progress(page).getByText('Paused', { exact: true }).waitFor();
    await progress(page).getByRole('button', { name: 'Resume' }).click();
    await progress(page).getByText('Preparing… 240 of 600').waitFor();

    await rows.release();
    await page.getByText('List verification successful!').waitFor();
    await page.getByRole('region', { name: 'Results' }).waitFor();
    await page.getByRole('cell', { name: 'jane+0@exists.test' }).waitFor();
  } finally {
    await rows.close();
  }
});

it('a list that is being prepared is cancelled on its page, and its credits come back', async () => {
  const { api, open } = await newCustomer();
  const { id: ownerId } = await api.users.getMe();
  const rows = await holdBackRows(ownerId);
  try {
    const page = await open('/email-verification/bulk', { viewport: desktop });
    await startList(page, longFile('wrong.csv'));
    await page.getByRole('link', { name: 'wrong', exact: true }).click();

    await progress(page).getByRole('button', { name: 'Cancel' }).click();
    await deletion(page, 'wrong')
      .getByText('Its rows are still being copied. Nothing was charged, and its credits come back.')
      .waitFor();
    await deletion(page, 'wrong').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('List wrong deleted.').waitFor();

    await page.getByText('No lists yet').waitFor();
    expect(await api.billing.getWallet()).toMatchObject({ balance: 1_000, held: 0 });
  } finally {
    await rows.close();
  }
});

it('a list whose rows cannot be copied says why, and can be deleted', async () => {
  const { api, open } = await newCustomer();
  const { id: ownerId } = await api.users.getMe();
  const rows = await holdBackRows(ownerId);
  try {
    const page = await open('/email-verification/bulk', { viewport: desktop });
    await startList(page, longFile('lost.csv'));
    await page.getByText('Preparing… 0 of 600').waitFor();
    await rows.loseFile();
    await rows.release();

    await page.getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('form').getByText('1,000 credits', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'lost', exact: true }).click();
    await page.getByText('This list could not be prepared').waitFor();
    await page.getByText(/Send the file again\. Nothing was charged\.$/).waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await deletion(page, 'lost').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('List lost deleted.').waitFor();
  } finally {
    await rows.close();
  }
});

it('a list that costs more than the balance says what it needs, and leads to buying credits', async () => {
  const { api, open } = await newCustomer();
  // Too long to be counted in the call.
  const rows = Array.from({ length: 1_001 }, (_, n) => `jane+${n}@exists.test,${'x'.repeat(2_000)}`);
  const list_raw = new File([['email,note', ...rows].join('\n')], 'dear.csv');
  const { id } = await api.validations.createList({ body: { list_raw } });
  const page = await open(`/email-verification/bulk/${id}`, { viewport: desktop });

  await page
    .getByText(
      'Your balance does not cover this: it needs 1,001 credits, and you have 1,000. Buy credits, then send the file again. Nothing was charged.',
    )
    .waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('link', { name: 'Buy credits', exact: true }).click();
  await page.waitForURL('**/billing/packs');
});
