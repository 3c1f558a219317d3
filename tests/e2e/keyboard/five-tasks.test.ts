import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@assay/client';
import { API_BASE } from '@assay/contract';
import { expect, inject, it, onTestFinished } from 'vitest';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { openCustomer } from '../support/customer.ts';
import { choose, focusedName, press, tabTo, type } from '../support/keyboard.ts';
import { startEventReceiver } from '../support/receiver.ts';
import { newPerson, openPage } from '../support/visitor.ts';
import { importDialog, offer } from '../verification-bulk/steps.ts';

// Nothing here uses the mouse. The window of the system for files has keys of its own.

it('a newcomer signs up, gets a first verdict, and reads why', async () => {
  const page = await openPage();
  const person = newPerson();
  await page.goto('/');
  await press(page.getByRole('link', { name: 'Create an account' }));
  await type(page.getByLabel('First name'), person.firstName);
  await type(page.getByLabel('Last name'), person.lastName);
  await type(page.getByLabel('Email'), person.email);
  await type(page.getByLabel('Password'), person.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/email-verification/single');

  await page.getByPlaceholder('Verify a single email').waitFor();
  await page.keyboard.press('v');
  await type(page.getByPlaceholder('Verify a single email'), 'nobody@exists.test');
  await page.keyboard.press('Enter');
  const latest = page.getByRole('region', { name: 'Latest result' });
  await latest.getByText('Invalid', { exact: true }).waitFor();
  await press(latest.getByRole('button', { name: /evidence/i }));
  const evidence = page.getByRole('dialog');
  await evidence.getByText('nobody@exists.test').first().waitFor();
  await page.keyboard.press('Escape');
  await evidence.waitFor({ state: 'hidden' });
  await expect.poll(() => focusedName(page)).toMatch(/evidence/i);
});

it('a messy file becomes a list: another column is chosen, the headers box is changed, the list is named and opened', async () => {
  const { page } = await openCustomer('/email-verification/bulk');
  await press(page.getByRole('button', { name: 'Import email list' }));
  const chooser = page.waitForEvent('filechooser');
  await press(importDialog(page).getByRole('button', { name: 'Browse' }));
  const lines = [
    'Our people;;',
    'Name;Old;New',
    '"Doe; Jane";jane@gone.test;"Jane <jane@exists.test>"',
    'Max "the" Man;max@gone.test;max@exists.test',
  ];
  const buffer = Buffer.from(lines.join('\r\n'), 'latin1');
  await (await chooser).setFiles({ name: 'messy.csv', mimeType: 'text/csv', buffer });
  await press(importDialog(page).getByRole('button', { name: 'Verify' }));
  await offer(page).waitFor();

  await choose(offer(page).getByLabel('Email column'), 'New');
  await offer(page).getByText('emails in column “New”').waitFor();
  const headers = offer(page).getByLabel('This CSV file includes headers');
  await tabTo(headers);
  await page.keyboard.press('Space');
  await expect.poll(() => headers.isChecked()).toBe(false);
  await page.keyboard.press('Space');
  await expect.poll(() => headers.isChecked()).toBe(true);
  await type(offer(page).getByLabel('List name'), 'Keys only');
  await press(offer(page).getByRole('button', { name: 'Confirm' }));

  await page.getByText('Email verification started for list Keys only.').waitFor();
  await press(page.getByRole('link', { name: 'Keys only', exact: true }));
  await page.getByRole('region', { name: 'Results' }).waitFor();
  await page
    .getByRole('table', { name: 'emails' })
    .or(page.getByRole('region', { name: 'emails' }))
    .first()
    .waitFor();
});

it('a payment is made, and its refund is found in the invoices and in the history', async () => {
  const { page, api } = await openCustomer('/email-verification/single');
  await page.getByRole('heading', { name: 'Email verification' }).waitFor();
  await page.keyboard.press('b');
  const sections = page.getByRole('navigation', { name: 'Billing' });
  await press(sections.getByRole('link', { name: 'Buy credits' }));
  const packs = page.getByRole('region', { name: 'Credit packs' });
  await choose(packs.getByLabel('Pack'), '2,000');
  await press(packs.getByRole('button', { name: 'Buy credits' }));
  await page.waitForURL('**/checkout/**');
  const payments = new URL(page.url()).origin;
  await type(page.getByLabel('Card number'), '4242 4242 4242 4242');
  await type(page.getByLabel('Expiration'), '12 / 39');
  await type(page.getByLabel('Security code'), '123');
  await type(page.getByLabel('Name on card'), 'Ada Assayer');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${inject('product').url}/billing`);
  const history = page.getByRole('region', { name: 'credits history' });
  await history.getByText('+2,000').waitFor();

  await refund(payments, (await api.users.getMe()).id);
  await history.getByText('-2,000').waitFor();
  await press(sections.getByRole('link', { name: 'Invoices' }));
  await page.getByRole('region', { name: 'invoices' }).getByText('Refunded', { exact: true }).waitFor();
  await press(sections.getByRole('link', { name: 'Overview' }));
  await choose(page.getByLabel('Type'), 'Refund');
  await expect.poll(() => history.getByRole('row').count()).toBe(2);
  await history.getByText('-2,000').waitFor();
});

it('a key is created, copied and works', async () => {
  const { page } = await openCustomer('/email-verification/single', {
    permissions: clipboardPermissions,
  });
  await page.getByRole('heading', { name: 'Email verification' }).waitFor();
  await page.keyboard.press('a');
  await press(page.getByRole('link', { name: /keys and webhooks/i }));
  const section = page.getByRole('region', { name: 'More keys' });
  await press(section.getByRole('button', { name: 'Create key' }));
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await type(dialog.getByLabel('Name'), 'Keys only');
  await choose(dialog.getByLabel('Mode'), 'Test');
  await tabTo(dialog.getByLabel('Manage lists'));
  await page.keyboard.press('Space');
  await press(dialog.getByRole('button', { name: 'Create key' }));
  const secret = dialog.getByLabel('Your new key');
  await secret.waitFor();
  // The next key copies it.
  await expect.poll(() => focusedName(page)).toBe('Copy');
  const apiKey = await copiedBy(page, () => page.keyboard.press('Enter'));
  await press(dialog.getByRole('button', { name: 'Done' }));
  await dialog.waitFor({ state: 'hidden' });
  // The button that opened the dialog was in place of the keys, which are there now.
  await expect.poll(() => focusedName(page)).toMatch(/^Keys and webhooks/);
  await tabTo(section.getByRole('button', { name: 'Actions for Keys only' }));

  const client = createClient({ baseUrl: `${inject('product').url}${API_BASE}`, apiKey });
  const body = { email_address: 'jane@exists.test' };
  const check = await client.validations.startSingle({ query: { wait: 30 }, body });
  expect(check.email_address_status).toBe('VALID');
});

it('a webhook is added and tested, and the log says that it arrived', async () => {
  const receiver = await startEventReceiver();
  onTestFinished(() => receiver.close());
  const { page } = await openCustomer('/account/developers');
  const section = page.getByRole('region', { name: 'Webhooks' });
  await press(section.getByRole('button', { name: 'Add webhook' }));
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await type(dialog.getByLabel('Address'), receiver.url);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await press(section.getByRole('button', { name: 'Send test' }));
  await section.getByText('Answered 204.').waitFor();
  expect(receiver.events).toHaveLength(1);
});

/** Refunds the only payment of a customer, as an operator does at the payment provider. */
async function refund(payments: string, userId: string): Promise<void> {
  const key = await readFile(join(inject('product').dataFolder, 'payments-key'), 'utf8');
  const ask = async <Answer>(path: string, body?: URLSearchParams): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key.trim()}` };
    const answer = await fetch(
      `${payments}/v1/${path}`,
      body ? { method: 'POST', headers, body } : { headers },
    );
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as Answer;
  };
  interface Listed {
    readonly data: readonly { readonly id: string; readonly metadata: { readonly assay_user?: string } }[];
  }
  const since = Math.floor(Date.now() / 1_000) - 120;
  const customers = await ask<Listed>(`customers?limit=100&created[gte]=${since}`);
  const customer = customers.data.find(({ metadata }) => metadata.assay_user === userId)?.id ?? '';
  const [payment] = (await ask<Listed>(`payment_intents?customer=${customer}`)).data;
  await ask('refunds', new URLSearchParams({ payment_intent: payment?.id ?? '' }));
}
