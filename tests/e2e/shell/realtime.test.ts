import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assay } from '../support/assay-command.ts';
import { launchBrowser } from '../support/browser.ts';
import { openPage, signUp } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
const happened: string[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser);
  page.on('response', (response) => {
    if (response.url().endsWith('/api/users/me')) happened.push('user loaded');
  });
  page.on('websocket', (socket) => happened.push(`channel ${new URL(socket.url()).pathname}`));
});
afterAll(() => browser.close());

describe('§4 Realtime channel', () => {
  it('§4 opened once the user is loaded, one channel for all pages; refresh_billing reloads the wallet', async () => {
    const opening = page.waitForEvent('websocket');
    const { email } = await signUp(page);
    await (await opening).waitForEvent('framereceived');
    expect(happened).toEqual(['user loaded', 'channel /api/realtime']);

    const links = page.getByRole('navigation', { name: 'Main' });
    await links.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await links.getByRole('link', { name: 'Billing' }).click();
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await sidebar.getByText('1.0k', { exact: true }).waitFor();

    await assay('credits', 'grant', '--email', email, '--credits', '500', '--reason', 'Sorry for the wait');
    await sidebar.getByText('1.5k', { exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: '+500' }).waitFor();
    expect(happened.filter((what) => what.startsWith('channel'))).toHaveLength(1);
  });
});
