import type { ValidationList } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { newCustomer, startList } from '../e2e/support/customer.ts';
import { chooseFromMenu } from '../e2e/support/menus.ts';
import {
  browseFor,
  csvFile,
  importButton,
  importDialog,
  offer,
  previewFile,
} from '../e2e/verification-bulk/steps.ts';
import { busyCustomer, leaveUnanswered, people, refuse } from './customers.ts';
import { takeKeyPictures, takePictures, takeReadmePictures } from './pictures.ts';

describe('single checks', () => {
  it('nothing verified yet, loading, failed', async () => {
    const { open } = await newCustomer();
    const page = await open('/email-verification/single');
    await page.getByText('No verified emails yet').first().waitFor();
    await page.getByRole('form').getByText('1,000 credits').waitFor();
    await takePictures(page, 'single-empty');
    await page.goto('/email-verification/bulk');
    await page.getByText('No lists yet').waitFor();
    await takePictures(page, 'bulk-empty');

    await leaveUnanswered(page, 'validations/**', 'billing/**');
    await page.goto('/email-verification/single');
    await page.getByRole('form').waitFor();
    await takePictures(page, 'single-loading');
    await page.goto('/email-verification/bulk');
    await page.getByRole('form').waitFor();
    await takePictures(page, 'bulk-loading');

    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await refuse(page, 'validations/**');
    await page.goto('/email-verification/single');
    await page.getByText('could not be loaded').first().waitFor();
    await takePictures(page, 'single-failed');
  });

  it('key screen: results, their evidence, a refused address, the shortcuts', async () => {
    const { api, open } = await busyCustomer();
    const page = await open('/email-verification/single');
    await page.getByRole('row').filter({ hasText: 'info@exists.test' }).waitFor();
    await takeKeyPictures(page, 'single');
    // A phone starts without the chart.
    const phone = await open('/email-verification/single', { viewport: { width: 390, height: 844 } });
    await phone.getByRole('row').filter({ hasText: 'info@exists.test' }).waitFor();
    await takePictures(phone, 'single-phone', [390]);
    await page.bringToFront();

    await page.getByPlaceholder('Verify a single email').fill('jane@exists.test');
    await page.keyboard.press('Enter');
    await page.getByText('Verification successful! Valid email').waitFor();
    await takePictures(page, 'single-verified');
    await takeReadmePictures(page);

    const row = page.getByRole('row').filter({ hasText: 'info@exists.test' });
    await row.getByRole('button', { name: /show evidence/ }).click();
    await page.getByRole('button', { name: 'Close evidence' }).waitFor();
    await takePictures(page, 'single-evidence');
    await page.getByRole('button', { name: 'Close evidence' }).click();
    await page.getByRole('button', { name: 'Close evidence' }).waitFor({ state: 'hidden' });

    const at = new Date().toISOString();
    // In no list: outcomes are beside the newest check of their address.
    const email = 'user1@paced.test';
    const outcomes = [
      { email, kind: 'hard', at, detail: `550 5.1.1 <${email}>: Recipient address rejected: User unknown` },
      { email, kind: 'delivered', at: new Date(Date.now() - 3_600_000).toISOString() },
      { email, kind: 'complaint', at: new Date(Date.now() - 7_200_000).toISOString() },
    ] as const;
    await api.outcomes.report({ body: { outcomes: [...outcomes] } });
    await expect
      .poll(async () => (await api.validations.listSingles()).results.some((single) => single.outcomes))
      .toBe(true);
    await page.reload();
    const checked = page.getByRole('row').filter({ hasText: email });
    await checked.getByText('bounced').waitFor();
    await takePictures(page, 'single-outcome');
    await checked.getByRole('button', { name: /show evidence/ }).click();
    await page.getByRole('button', { name: 'Close evidence' }).waitFor();
    await takePictures(page, 'single-outcomes');
    await page.getByRole('button', { name: 'Close evidence' }).click();
    await page.getByRole('button', { name: 'Close evidence' }).waitFor({ state: 'hidden' });

    await page.getByPlaceholder('Verify a single email').fill('no address');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a valid email').waitFor();
    await takePictures(page, 'single-refused');

    await page.goto('/email-verification/single');
    await page.getByRole('row').filter({ hasText: 'info@exists.test' }).waitFor();
    await page.getByRole('link', { name: 'Billing', exact: true }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await takePictures(page, 'shortcuts');
  });

  it('no credits left: request a call', async () => {
    const { api, open } = await newCustomer();
    const addresses = Array.from({ length: 1_000 }, (_, number) => `user${number}@exists.test`);
    await startList(api, 'everything.csv', ['email', ...addresses]);
    const page = await open('/email-verification/single');
    await page.getByRole('form').getByText('0 credits', { exact: true }).waitFor();
    await page.getByPlaceholder('Verify a single email').press('Enter');
    await page.getByRole('dialog', { name: 'Request a call' }).getByLabel('Phone').waitFor();
    await takePictures(page, 'request-call');
  });
});

describe('lists', () => {
  it('key screen: lists, a list, its dialogs', async () => {
    const { api, open } = await busyCustomer();
    const waiting = await startList(api, 'waiting.csv', [
      'email',
      'jane@exists.test',
      'jane@greylist-never.test',
    ]);
    const page = await open('/email-verification/bulk');
    await page.getByRole('link', { name: 'spring', exact: true }).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'waiting' })
      .getByText('Waiting', { exact: true })
      .waitFor();
    await takeKeyPictures(page, 'bulk');

    await page.getByRole('button', { name: 'Actions for spring', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await takePictures(page, 'bulk-menu');
    await page.keyboard.press('Escape');
    for (const action of ['Rename', 'Delete']) {
      await chooseFromMenu(page, 'spring', action);
      await page.getByRole('dialog').waitFor();
      await takePictures(page, `bulk-${action.toLowerCase()}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }

    await page.getByRole('link', { name: 'spring', exact: true }).click();
    await page.getByRole('region', { name: 'Results' }).waitFor();
    await page.getByRole('cell', { name: 'anyone@catch-all.test' }).waitFor();
    await takeKeyPictures(page, 'list');
    await page.getByRole('button', { name: 'Share a link' }).click();
    await page.getByRole('dialog', { name: 'Share a download' }).getByText('There is no link').waitFor();
    await takePictures(page, 'list-share');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('New link').waitFor();
    await takePictures(page, 'list-shared');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('dialog', { name: 'Export emails' }).getByText('Columns that we add').waitFor();
    await takePictures(page, 'list-export');

    const preparing: Partial<ValidationList> = {
      ...{ status: 'PENDING', run_state: 'preparing', progress: 0, total_emails: 1_000_000 },
      preparation: { copied_rows: 12_345, total_rows: 1_000_000, problem: null },
    };
    const lists = '**/api/validations/lists/*';
    await page.route(lists, (route) => route.fulfill({ json: { ...waiting, ...preparing } }));
    await page.goto(`/email-verification/bulk/${waiting.id}`);
    await page.getByText('The rows of your file are being copied').waitFor();
    await takePictures(page, 'list-preparing');
    await page.unroute(lists);
    await page.goto(`/email-verification/bulk/${waiting.id}`);
    await page.getByText('asked us to come back').waitFor();
    await takePictures(page, 'list-running');
    await leaveUnanswered(page, 'validations/**');
    await page.reload();
    await page.getByText('Loading list').first().waitFor({ state: 'attached' });
    await takePictures(page, 'list-loading');
  });

  it('key screen: import, offer, refusal', async () => {
    const { open } = await newCustomer();
    const page = await open('/email-verification/bulk');
    await importButton(page).click();
    await importDialog(page).waitFor();
    await takePictures(page, 'import');
    await browseFor(page, csvFile('people.csv', people));
    await importDialog(page).getByRole('button', { name: 'Verify' }).click();
    await offer(page).getByRole('button', { name: 'Confirm' }).waitFor();
    await takeKeyPictures(page, 'import-offer');

    await page.reload();
    await importButton(page).waitFor();
    await previewFile(page, csvFile('empty.csv', ['name', 'Jane']));
    await page.getByText('This file is not valid.').waitFor();
    await takePictures(page, 'import-refused');

    await page.reload();
    await importButton(page).waitFor();
    const many = Array.from({ length: 1_500 }, (_, number) => `jane+${number}@exists.test`);
    await previewFile(page, csvFile('large.csv', ['email', ...many]));
    await offer(page).getByText("You're 500 credits short.").waitFor();
    await takePictures(page, 'import-short');
  });
});
