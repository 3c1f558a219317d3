import { expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openCustomer } from '../support/customer.ts';
import { chooseFromMenu } from '../support/menus.ts';

it('the quick start leads to a test key, which tries a call of the reference; its calls are in the log of the key', async () => {
  const { page } = await openCustomer('/account');
  const { url } = inject('product');
  await page.goto(`${url}/docs`);
  await page.getByRole('link', { name: 'Create a test key' }).click();

  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.waitFor();
  await expect.poll(() => dialog.getByLabel('Mode').inputValue()).toBe('test');
  for (const scope of ['Verify', 'Read results', 'Manage lists']) {
    await expect.poll(() => dialog.getByLabel(scope, { exact: true }).isChecked()).toBe(true);
  }
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByRole('dialog').getByLabel('Your new key').inputValue();
  expect(secret).toMatch(/^assay_test_/);

  await page.goto(`${url}/docs/reference/single-checks`);
  const call = page.getByRole('region', { name: 'Check one address' });
  await call.getByText('Try it').click();
  const key = call.getByLabel('Test key');
  await key.fill('assay_live_0123');
  await call.getByRole('button', { name: 'Send' }).click();
  await call.getByText('Paste a test key.').waitFor();
  await key.fill(secret);
  await call.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => call.getByRole('status').textContent())
    .toContain('"email_address_status": "VALID"');
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('assay_test_');
  expect(await page.evaluate('Object.values({ ...sessionStorage }).join()')).toContain(secret);
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);

  await page.goto(`${url}/account/developers`);
  await chooseFromMenu(page, 'Quick start', 'Calls');
  const calls = page.getByRole('dialog', { name: 'Calls of Quick start' });
  await calls.getByText('POST /validations/email_validation').waitFor();
  await calls.getByText('200', { exact: true }).waitFor();
  // Calls that come while somebody looks appear too.
  await fetch(`${url}/api/billing/me`, { headers: { 'x-api-key': secret } });
  await calls.getByText('GET /billing/me').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
});
