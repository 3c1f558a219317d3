import { describe, expect, it } from 'vitest';
import { assay } from '../support/assay-command.ts';
import { newCustomer } from '../support/customer.ts';
import { gotoAndListen } from '../support/visitor.ts';

describe('§6 Per-user feature flags, switched by the operator’s command', () => {
  it('show and hide the Email guessing menu in an open tab, without signing in again', async () => {
    const { person, open } = await newCustomer();
    const { email } = person;
    const page = await open('/not-found');
    await gotoAndListen(page, '/billing');
    const menuItem = page.getByRole('link', { name: 'Email guessing' });
    expect(await menuItem.count()).toBe(0);

    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'on');
    await menuItem.waitFor();

    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'off');
    await menuItem.waitFor({ state: 'hidden' });
  });
});
