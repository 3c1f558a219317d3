import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { accessibilityProblems, openPage, type Person, signIn, signUp } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
let person: Person;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  person = await signUp(page);
  await page.goto('/account');
});
afterAll(() => browser.close());

const section = () => page.getByRole('region', { name: 'API key' });
const button = (name: string) => section().getByRole('button', { name, exact: true });
const shownKey = () => section().getByText(/assay_live_[0-9a-f]{48}/);
const balanceWith = (key: string) =>
  fetch(`${inject('product').url}/api/billing/me`, { headers: { 'x-api-key': key } });
const readClipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
const copiedKey = async () => {
  await button('Copy').click();
  await page.getByText('Copied to clipboard!', { exact: true }).first().waitFor();
  return readClipboard();
};

// One story, told in order: each step begins where the one before ended.
describe('§2 Account page: API key section', () => {
  let key: string;

  it('begins without a key, and creates one that stays hidden', async () => {
    await section().getByText('You have no API key.').waitFor();
    await button('Create API key').click();

    await button('Reveal').waitFor();
    expect(await shownKey().count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("§8 copies it: 'Copied to clipboard!', and the key works", async () => {
    key = await copiedKey();

    expect(key).toMatch(/^assay_live_[0-9a-f]{48}$/);
    expect((await balanceWith(key)).status).toBe(200);
  });

  it('§4 API key: reveals it, and hides it when asked', async () => {
    // From here on the browser's clock stands still and moves only when told: the reveal must not end by itself.
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await button('Reveal').click();
    expect(await shownKey().innerText()).toBe(key);

    await button('Hide').click();
    await shownKey().waitFor({ state: 'hidden' });
    await button('Reveal').waitFor();
  });

  it('§4 API key: the reveal auto-hides after 3 s', async () => {
    await button('Reveal').click();
    await shownKey().waitFor();
    await page.clock.runFor(2_900);
    expect(await shownKey().count()).toBe(1);
    await page.clock.runFor(200);
    await shownKey().waitFor({ state: 'hidden' });
    await page.clock.resume();
  });

  it('§4 API key: an older sign-in must sign in again, and is back with the key revealed', async () => {
    // A key that was made on the page is known there; after a reload it has to be asked for.
    await page.reload();
    const refusal = { code: 'sign_in_again', message: 'Sign in again.', http_status: 403, meta: {} };
    await page.route(
      '**/api/users/api-keys?reveal=true',
      (route) => route.fulfill({ status: 403, json: { errors: [refusal] } }),
      { times: 1 },
    );
    await button('Reveal').click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in' }).click();

    await page.getByLabel('Password').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
    await signIn(page, person);
    await page.waitForURL('**/account');
    await shownKey().waitFor();
    await shownKey().waitFor({ state: 'hidden' });
  });

  it('asks before it deletes, after which the key opens nothing', async () => {
    await button('Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete API key' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await balanceWith(key)).status).toBe(200);

    await button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();

    await section().getByText('You have no API key.').waitFor();
    expect((await balanceWith(key)).status).toBe(401);
  });

  it('creates another one, which is not the old one', async () => {
    await button('Create API key').click();
    await button('Copy').click();

    await expect.poll(readClipboard).toMatch(/^assay_live_/);
    await expect.poll(readClipboard).not.toBe(key);
  });
});
