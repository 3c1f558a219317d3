import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assay } from '../support/assay-command.ts';
import { launchBrowser } from '../support/browser.ts';
import { openPage, signUp } from '../support/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe('§6 Per-user feature flags, switched by the operator’s command', () => {
  it('show and hide the Email guessing menu in an open tab, without signing in again', async () => {
    const page = await openPage(browser);
    const channelOpens = page.waitForEvent('websocket');
    const { email } = await signUp(page);
    // The server's greeting: from here on, news arrive in this tab.
    await (await channelOpens).waitForEvent('framereceived');
    const menuItem = page.getByRole('link', { name: 'Email guessing' });
    expect(await menuItem.count()).toBe(0);

    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'on');
    await menuItem.waitFor();

    await assay('users', 'flag', '--email', email, 'guessing_enabled', 'off');
    await menuItem.waitFor({ state: 'hidden' });
  });
});
