import { describe, expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

describe.each([
  ['light', 1440],
  ['dark', 390],
] as const)('mailboxes for bounces, %s, %i px wide', (colorScheme, width) => {
  it('say what is missing and why a host cannot be read, and keep nothing of it', async () => {
    const customer = await newCustomer();
    const page = await customer.open('/account/feeds', { colorScheme, viewport: { width, height: 900 } });
    await page.getByText('You have no mailbox.').waitFor();
    await page.getByRole('button', { name: 'Add mailbox', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Add mailbox' });
    const add = () => form.getByRole('button', { name: 'Add mailbox', exact: true }).click();
    const alert = form.getByRole('alert');
    expect(await accessibilityProblems(page)).toEqual([]);

    await add();
    for (const name of ['Host', 'User name', 'Password'])
      await form.getByText(`${name} required`, { exact: true }).waitFor();
    await form.getByLabel('User name').fill('bounces@example.com');
    await form.getByLabel('Password', { exact: true }).fill('a secret word');
    await form.getByLabel('Host').fill('two words');
    await add();
    await alert.getByText('Enter the name of the host', { exact: false }).waitFor();
    await form.getByLabel('Host').fill('10.0.0.1');
    await alert.waitFor({ state: 'hidden' });
    await add();
    await alert.getByText('The host is in a private network.', { exact: false }).waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);

    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByText('You have no mailbox.').waitFor();
    expect((await customer.api.outcomeMailboxes.listMailboxes()).results).toEqual([]);
  });
});
