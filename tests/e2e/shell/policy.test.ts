import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { assay } from '../support/assay-command.ts';
import { type Customer, newCustomer, startList, untilComplete } from '../support/customer.ts';
import { gotoAndListen } from '../support/visitor.ts';

let customer: Customer;
let page: Page;
let troubles: string[];
beforeEach(async () => {
  customer = await newCustomer();
  page = await customer.open('about:blank');
  // A browser reports a violation to the page, to the console, or to both.
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('policy violation', event.effectiveDirective, event.blockedURI, event.sourceFile));`);
  const seen: string[] = [];
  page.on('console', (message) => message.type() === 'error' && seen.push(`${page.url()} ${message.text()}`));
  page.on('pageerror', (error) => seen.push(`${page.url()} ${error.message}`));
  troubles = seen;
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const closeDialog = async () => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

describe('the content-security policy', () => {
  it('lets in nothing but our own files: no inline script and no inline style', async () => {
    const policy = (await page.request.get('/')).headers()['content-security-policy'];

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  it('is watched here: a violation is noticed', async () => {
    await page.goto('/not-found');
    await page.evaluate(
      `document.head.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }))`,
    );

    await expect.poll(() => troubles.join('\n')).toMatch(/policy violation style-src/);
  });

  it('is kept by charts, grids, menus, dialogs, the drop zone and messages', async () => {
    const addresses = ['jane@exists.test', 'nobody@exists.test', 'anyone@catch-all.test'];
    const list = await startList(customer.api, 'Policy.csv', ['email', ...addresses]);
    await untilComplete(customer.api, list.id);
    await gotoAndListen(page, '/email-verification/single');
    await page.getByRole('combobox').first().waitFor();
    await page.getByPlaceholder('Verify a single email').fill('jane@exists.test');
    await page.keyboard.press('Enter');
    await page.getByText('Email verification started for email jane@exists.test.').waitFor();
    await page.getByText('Verification successful! Valid email').waitFor();
    await button('Import email list').click();
    await page.getByRole('dialog', { name: 'Import email list' }).waitFor();
    await closeDialog();
    await page.goto('/email-verification/bulk');
    await button('Actions for Policy').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').waitFor();
    await closeDialog();
    await page.goto(`/email-verification/bulk/${list.id}`);
    await page.getByText('Select to download').waitFor();
    await page.goto('/billing');
    await button('Compare Plans').click();
    await page.getByRole('slider').press('ArrowRight');
    await closeDialog();
    await button('Redeem credits').click();
    await page.getByLabel('Coupon code').waitFor();
    await closeDialog();
    await page.goto('/account');
    await button('Edit personal info').click();
    await page.getByRole('dialog').waitFor();
    await closeDialog();
    await page.setViewportSize({ width: 390, height: 800 });
    await button('Open menu').click();
    await button('Sign out').click();
    await button('Yes, sign out').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });

    expect(troubles).toEqual([]);
  });

  it('is kept by the pages of guessing', async () => {
    await assay('users', 'flag', '--email', customer.person.email, 'guessing_enabled', 'on');
    await page.goto('/email-guessing/single');
    await page.getByLabel('First name').fill('Jan');
    await page.getByLabel('Last name').fill('Berg');
    await page.getByLabel('Company domain').fill('dotted.test');
    await button('Guess').click();
    const row = page.getByRole('row').filter({ hasText: 'Jan Berg' });
    await row.getByRole('button', { name: /show evidence/ }).click({ timeout: 30_000 });
    await page.getByRole('dialog').filter({ hasText: 'How we know' }).waitFor();
    await closeDialog();
    await page.getByRole('tab', { name: /Bulk guesses/ }).click();
    await page.getByText('No lists of people yet').waitFor();
    await button('Import people').click();
    await page.getByRole('dialog', { name: 'Import people' }).waitFor();
    await closeDialog();

    expect(troubles).toEqual([]);
  });

  it('is kept by the pages without dialogs and forms', async () => {
    for (const path of [
      ...['/warm-up', '/not-found', '/forbidden', '/internal-error', '/goodbye', '/oauth/callback'],
      ...['/redirect?to=/billing', '/docs', '/docs/verdicts', '/docs/webhooks'],
    ]) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
    }

    expect(troubles).toEqual([]);
  });

  it('of the API reference lets it run, and refuses only its attempt to evaluate text', async () => {
    await page.goto('/docs/reference');
    await page.getByRole('heading', { name: 'Assay API' }).first().waitFor();

    expect(troubles.filter((trouble) => !trouble.includes('script-src eval'))).toEqual([]);
  });
});
