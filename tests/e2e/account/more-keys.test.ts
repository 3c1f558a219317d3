import { createClient } from '@assay/client';
import { API_BASE } from '@assay/contract';
import type { Locator, Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { newCustomer, openCustomer } from '../support/customer.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { signIn } from '../support/visitor.ts';

const permissions = clipboardPermissions;
const clientWith = (apiKey: string) =>
  createClient({ baseUrl: `${inject('product').url}${API_BASE}`, apiKey, retries: 0 });
const verifyWith = (apiKey: string) =>
  clientWith(apiKey).validations.startSingle({
    query: { wait: 30 },
    body: { email_address: 'jane@exists.test' },
  });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no refusal',
    (error) => error.code,
  );

const section = (page: Page) => page.getByRole('region', { name: 'More keys' });

/** Copies the secret that a dialog shows once, and closes the dialog. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Your new key');
  await field.waitFor();
  const secret = await field.inputValue();
  expect(await copiedBy(page, () => dialog.getByRole('button', { name: 'Copy' }).click())).toBe(secret);
  // The secret is shown once, so only 'Done' closes its dialog.
  await page.keyboard.press('Escape');
  await expect.poll(() => field.inputValue()).toBe(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

/** By how many px the middle of a checkbox differs from that of its label. */
async function boxFromLabel(dialog: Locator, label: string): Promise<number> {
  const middleOf = async (part: Locator) => {
    const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
    return y + height / 2;
  };
  const box = dialog.getByRole('checkbox', { name: label, exact: true });
  return Math.abs((await middleOf(box)) - (await middleOf(dialog.getByText(label, { exact: true }))));
}

it('a key is created with a limit, used, edited, rolled and revoked; a test key with a last day and a network is free', async () => {
  const { page } = await openCustomer('/account/developers', { permissions });
  await section(page).getByText('You have no further keys.').waitFor();

  await section(page).getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Monthly credit limit').fill('none');
  await dialog.getByLabel('Allowed networks').fill('example.com');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Name required').waitFor();
  await dialog.getByText('Enter a whole number from 1').waitFor();
  await dialog.getByText('Enter an IP address or a network').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  // On a phone each box stands beside the first line of its scope.
  const size = page.viewportSize();
  const screen = await page.context().newCDPSession(page);
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate("matchMedia('(pointer: coarse)').matches")).toBe(true);
  for (const scope of ['Verify', 'Read results', 'Manage lists'])
    await expect.poll(() => boxFromLabel(dialog, scope)).toBeLessThan(4);
  await screen.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  if (size) await page.setViewportSize(size);
  await dialog.getByLabel('Name').fill('Web shop');
  await dialog.getByLabel('Monthly credit limit').fill('1');
  await dialog.getByLabel('Allowed networks').fill('127.0.0.0/8\n::1');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const first = await takeSecret(page);

  expect((await verifyWith(first)).email_address_status).toBe('VALID');
  expect(await codeOf(verifyWith(first))).toBe('api_key_limit_reached');

  await chooseFromMenu(page, 'Web shop', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit key' });
  await edit.getByLabel('Monthly credit limit').fill('5');
  await edit.getByLabel('Read results').uncheck();
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  await section(page).getByText('1 of 5').waitFor();
  expect(await codeOf(clientWith(first).validations.listLists())).toBe('missing_scope_read_results');
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);

  await chooseFromMenu(page, 'Web shop', 'Usage');
  const usage = page.getByRole('dialog', { name: 'Usage of Web shop' });
  await usage.getByText('1 credit used in the last 30 days').first().waitFor();
  await page.keyboard.press('Escape');

  await chooseFromMenu(page, 'Web shop', 'Roll');
  const roll = page.getByRole('dialog', { name: 'Roll Web shop' });
  await roll.getByLabel('The old secret works for').selectOption('Refuse it at once');
  await roll.getByRole('button', { name: 'Roll' }).click();
  const second = await takeSecret(page);
  expect(second).not.toBe(first);
  expect(await codeOf(clientWith(first).billing.getWallet())).toBe('unknown_api_key');
  expect((await clientWith(second).billing.getWallet()).balance).toBe(999);

  await section(page).getByRole('button', { name: 'Create key' }).click();
  await dialog.getByLabel('Name').fill('Tests');
  await dialog.getByLabel('Mode').selectOption('Test, free, .test only');
  await dialog.getByLabel('Allowed networks').fill('203.0.113.0/24');
  await dialog.getByLabel('Last day').fill('2999-12-31');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/users/api-keys/more', (route) => held.promise.then(() => route.continue()));
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  // The dialog stays until it has shown the secret.
  await page.keyboard.press('Escape');
  held.resolve();
  const free = await takeSecret(page);
  expect(free).toMatch(/^assay_test_/);
  await section(page).getByRole('row').filter({ hasText: 'Tests' }).getByText('Dec 31, 2999').waitFor();
  expect(await codeOf(verifyWith(free))).toBe('api_key_wrong_network');
  await chooseFromMenu(page, 'Tests', 'Edit');
  await edit.getByLabel('Allowed networks').fill('');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  expect(await verifyWith(free)).toMatchObject({ email_address_status: 'VALID', sandbox: true });
  expect((await clientWith(second).billing.getWallet()).balance).toBe(999);
  await chooseFromMenu(page, 'Tests', 'Revoke');
  await page.getByRole('dialog', { name: 'Revoke key' }).getByRole('button', { name: 'Revoke' }).click();
  await section(page).getByRole('row').filter({ hasText: 'Tests' }).waitFor({ state: 'detached' });

  await chooseFromMenu(page, 'Web shop', 'Revoke');
  await page.getByRole('dialog', { name: 'Revoke key' }).getByRole('button', { name: 'Revoke' }).click();
  await section(page).getByText('You have no further keys.').waitFor();
  expect(await codeOf(clientWith(second).billing.getWallet())).toBe('unknown_api_key');
});

it('an older sign-in signs in again, and is back with what it filled in; rolling and the download of all data continue too', async () => {
  const { page, person } = await openCustomer('/account/developers', { permissions });
  const refusal = { code: 'sign_in_again', message: 'Sign in again.', http_status: 403, meta: {} };
  // Not `times: 1`: the page may read the keys again before it creates one.
  const refuseOnce = async (path: string) => {
    let isRefused = false;
    await page.route(`**/api/users/${path}`, (route) => {
      if (isRefused || route.request().method() !== 'POST') return route.fallback();
      isRefused = true;
      return route.fulfill({ status: 403, json: { errors: [refusal] } });
    });
  };
  const signInAgain = async (returnsTo = '**/account/developers') => {
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    // The dialog of the action makes room for it.
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
    await signIn(page, person);
    await page.waitForURL(returnsTo);
  };

  await section(page).getByRole('button', { name: 'Create key' }).click();
  const create = page.getByRole('dialog', { name: 'Create key' });
  await create.getByLabel('Name').fill('Web shop');
  await refuseOnce('api-keys/more');
  await create.getByRole('button', { name: 'Create key' }).click();
  await signInAgain();
  await expect.poll(() => create.getByLabel('Name').inputValue()).toBe('Web shop');
  await create.getByRole('button', { name: 'Create key' }).click();
  const first = await takeSecret(page);

  await chooseFromMenu(page, 'Web shop', 'Roll');
  const roll = page.getByRole('dialog', { name: 'Roll Web shop' });
  await refuseOnce('api-keys/more/*/roll');
  await roll.getByRole('button', { name: 'Roll' }).click();
  await signInAgain();
  await roll.getByRole('button', { name: 'Roll' }).click();
  expect(await takeSecret(page)).not.toBe(first);

  await page.goto('/account');
  await refuseOnce('me/data');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const downloaded = page.waitForEvent('download');
  await signInAgain('**/account');
  expect((await downloaded).suggestedFilename()).toBe('Assay data.zip');
});

it('a hundred keys are paged, and no further one can be created', async () => {
  const { api, open } = await newCustomer();
  for (let number = 1; number <= 100; number += 1) {
    await api.users.createScopedKey({
      body: { name: `Program ${number}`, mode: number === 99 ? 'test' : 'live', scopes: ['verify'] },
    });
  }

  const page = await open('/account/developers');

  await section(page).getByText('Program 100', { exact: true }).waitFor();
  await section(page).getByText('Test', { exact: true }).waitFor();
  await section(page).getByText('You have 100 keys.').waitFor();
  await expect.poll(() => section(page).getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true);
  await expect.poll(() => section(page).getByRole('row').count()).toBe(11);
  await chooseFromMenu(page, 'Program 100', 'Revoke');
  await page.getByRole('dialog', { name: 'Revoke key' }).getByRole('button', { name: 'Revoke' }).click();
  await section(page).getByText('Program 90', { exact: true }).waitFor();
  await expect.poll(() => section(page).getByRole('button', { name: 'Create key' }).isEnabled()).toBe(true);
});

it('what was typed for one key comes back for that key only, after a failure in the server', async () => {
  const { api, open } = await newCustomer();
  for (const name of ['Web shop', 'Tests']) {
    await api.users.createScopedKey({ body: { name, mode: 'live', scopes: ['read_results'] } });
  }
  const page = await open('/account/developers');
  await page.route('**/api/users/api-keys/more/*', (route) => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  });
  const edit = page.getByRole('dialog', { name: 'Edit key' });
  await chooseFromMenu(page, 'Web shop', 'Edit');
  await edit.getByLabel('Name').fill('Shop in the web');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Whoops!' }).waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();

  await chooseFromMenu(page, 'Tests', 'Edit');
  await expect.poll(() => edit.getByLabel('Name').inputValue()).toBe('Tests');
  await page.keyboard.press('Escape');
  await edit.waitFor({ state: 'hidden' });
  await chooseFromMenu(page, 'Web shop', 'Edit');
  await expect.poll(() => edit.getByLabel('Name').inputValue()).toBe('Shop in the web');
});
