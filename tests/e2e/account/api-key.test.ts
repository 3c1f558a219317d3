import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { openCustomer } from '../support/customer.ts';
import { type Person, signIn } from '../support/visitor.ts';

let page: Page;
let person: Person;
beforeEach(async () => {
  ({ page, person } = await openCustomer('/account', { permissions: clipboardPermissions }));
});

const section = () => page.getByRole('region', { name: 'API key' });
const button = (name: string) => section().getByRole('button', { name, exact: true });
const shownKey = () => section().getByText(/assay_live_[0-9a-f]{48}/);
const balanceWith = (key: string) =>
  fetch(`${inject('product').url}/api/billing/me`, { headers: { 'x-api-key': key } });
const copiedKey = () => copiedBy(page, () => button('Copy').click());

/** Creates a key on the page and answers it. */
async function createKey(): Promise<string> {
  await button('Create API key').click();
  await button('Reveal').waitFor();
  return copiedKey();
}

/** From here on the browser's clock moves only when the test moves it. */
async function stopClock(): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
}

describe('§2 Account page: API key section', () => {
  it("begins without a key, and creates one that stays hidden; §8 'Copied to clipboard!', and the key works; §4 it is revealed, hidden when asked, and hidden after 3 s", async () => {
    await section().getByText('You have no API key.').waitFor();
    const key = await createKey();
    await page.getByText('Copied to clipboard!', { exact: true }).first().waitFor();
    await expect.poll(() => shownKey().count()).toBe(0);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    expect(key).toMatch(/^assay_live_[0-9a-f]{48}$/);
    expect((await balanceWith(key)).status).toBe(200);

    // The reveal must not end by itself.
    await stopClock();
    await button('Reveal').click();
    await expect.poll(() => shownKey().innerText()).toBe(key);
    await button('Hide').click();
    await shownKey().waitFor({ state: 'hidden' });

    await button('Reveal').click();
    await shownKey().waitFor();
    await page.clock.runFor(2_900);
    await expect.poll(() => shownKey().count()).toBe(1);
    await page.clock.runFor(200);
    await shownKey().waitFor({ state: 'hidden' });
  });

  it('§4 API key: an older sign-in must sign in again, and is back with the key revealed', async () => {
    await createKey();
    // The page knows a key that it created; after a reload it asks the API for it.
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
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in' }).click();

    await page.getByLabel('Password').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.email);
    await signIn(page, person);
    await page.waitForURL('**/account');
    await shownKey().waitFor();
    await shownKey().waitFor({ state: 'hidden' });
  });

  it('asks before it deletes; a deleted key opens nothing, and the next one is another', async () => {
    const key = await createKey();
    await button('Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete API key' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await balanceWith(key)).status).toBe(200);

    await button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();

    await section().getByText('You have no API key.').waitFor();
    expect((await balanceWith(key)).status).toBe(401);

    await button('Create API key').click();
    const next = await copiedKey();

    expect(next).toMatch(/^assay_live_/);
    expect(next).not.toBe(key);
  });
});
