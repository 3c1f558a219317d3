import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openCustomer } from '../support/customer.ts';
import { openPage, type Person, signIn, signUp } from '../support/visitor.ts';

let page: Page;
let person: Person;
beforeEach(async () => {
  ({ page, person } = await openCustomer('/account'));
});

const dialog = () => page.getByRole('dialog', { name: 'Attention!' });
const openDialog = async () => {
  await page
    .getByRole('region', { name: 'Danger zone' })
    .getByRole('button', { name: 'Delete account' })
    .click();
  await dialog().waitFor();
};

async function isSignInRefused(): Promise<boolean> {
  const visitor = await openPage();
  await visitor.goto('/');
  await signIn(visitor, person);
  const refusal = visitor.getByRole('alert').filter({ hasText: /\w/ });
  await refusal.or(visitor.getByRole('navigation')).first().waitFor();
  const isRefused = await refusal.isVisible();
  await visitor.context().close();
  return isRefused;
}

describe('§2 Account page: Danger zone', () => {
  it('asks in these words, and Cancel changes nothing; an older sign-in must sign in again, and is back at the question', async () => {
    await openDialog();
    await expect
      .poll(() => dialog().innerText())
      .toContain('Do you want to delete your account? This action cannot be reversed');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('region', { name: 'Danger zone' }).waitFor();

    const refusal = { code: 'sign_in_again', message: 'Sign in again.', http_status: 403, meta: {} };
    await page.route('**/api/users/me', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 403, json: { errors: [refusal] } })
        : route.fallback(),
    );
    await openDialog();
    await dialog().getByRole('button', { name: 'Delete account' }).click();
    await page
      .getByRole('dialog', { name: 'Sign in again' })
      .getByRole('button', { name: 'Sign in' })
      .click();
    await page.getByLabel('Password').waitFor();
    await page.unrouteAll();

    await signIn(page, person);
    await page.waitForURL('**/account');
    await dialog().waitFor();
  });

  it('§4 Account deletion: says so, after 2 s signs out and lands on the goodbye page', async () => {
    await openDialog();
    // From here on the browser's clock moves only when the test moves it.
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await dialog().getByRole('button', { name: 'Delete account' }).click();

    await page
      .getByText(`User account successfully deleted for ${person.email}, logging out.`, { exact: true })
      .waitFor();
    await page.clock.runFor(1_900);
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.clock.runFor(200);
    await page.clock.resume();
    await page.waitForURL('**/goodbye');
    await page.getByRole('heading', { name: 'Goodbye!' }).waitFor();
  });

  it('the identity is gone too: the old password opens nothing, and the address can sign up anew without a second grant', async () => {
    await openDialog();
    await dialog().getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL('**/goodbye');
    // A job removes it at the provider, so the first try may still be early.
    await expect.poll(isSignInRefused).toBe(true);

    const again = await openPage();
    await signUp(again, person);
    const form = again.getByRole('form', { name: 'Verify a single email' });
    await form.getByText('0 credits', { exact: true }).waitFor();
    await again.goto('/billing');
    await again
      .getByRole('region', { name: 'credits history' })
      .getByText('No welcome credits: this address had them in an account that was deleted')
      .waitFor();
  });
});
