import { describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { newCustomer } from '../support/customer.ts';
import { gotoAndListen, sidewaysOverflow } from '../support/visitor.ts';

describe('what operators change by command reaches an open tab, without signing in again', () => {
  it('§6 Per-user feature flags show and hide the Email guessing menu and its calls in the API reference; a suspended account has a banner with what to do, until it is open again', async () => {
    const { person, open } = await newCustomer();
    const { email } = person;
    const page = await open('/not-found');
    await gotoAndListen(page, '/billing');
    const menuItem = page.getByRole('link', { name: 'Email guessing' });
    await expect.poll(() => menuItem.count()).toBe(0);

    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'on', '--reason', 'A test');
    await menuItem.waitFor();
    const guessingReference = () =>
      page.evaluate(async () => (await fetch('/docs/reference/guessing')).status);
    await expect.poll(guessingReference).toBe(200);

    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'off', '--reason', 'A test');
    await menuItem.waitFor({ state: 'hidden' });
    await expect.poll(guessingReference).toBe(404);

    const banner = page.getByRole('region', { name: 'Restricted account' });
    await expect.poll(() => banner.count()).toBe(0);
    await assay('users', 'standing', '--email', email, 'suspended', '--reason', 'A browser test');
    await banner.getByText('Your account is suspended. You can still read and export everything').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);

    await banner.getByRole('button', { name: 'Request a call' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request a call' });
    await dialog.getByLabel('Phone').fill('+34 600 123 456');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Support request succesful, you will called soon.', { exact: true }).waitFor();

    await assay('users', 'standing', '--email', email, 'open', '--reason', 'A browser test');
    await banner.waitFor({ state: 'hidden' });
  });
});
