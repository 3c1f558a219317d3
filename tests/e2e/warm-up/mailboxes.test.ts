import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { accessibilityProblems, openPage, signUp } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openPage(browser);
  await signUp(page);
  await page.getByRole('link', { name: 'Warm Up' }).click();
  await page.getByRole('heading', { name: 'Email Warm Up' }).waitFor();
});
afterAll(() => browser.close());

const accounts = () => page.getByRole('region', { name: 'Authorized accounts' });
const shown = () => accounts().getByRole('listitem').getByText(/@/).allInnerTexts();
const emptyText =
  'No email accounts are currently authorized. Connect a Gmail or Microsoft account to get started.';

const storedProvider = "sessionStorage.getItem('warmup_oauth_provider')";

/** To the provider's account chooser and on to its consent page. */
async function goToConsent(provider: 'Gmail' | 'Microsoft', person: string): Promise<void> {
  await page.getByRole('button', { name: `Connect ${provider}` }).click();
  await page.getByRole('heading', { name: /Choose an account|Pick an account/ }).waitFor();
  await page.getByRole('link', { name: person }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
}

/** What people allow at the stand-in at the moment, as its own page tells them. */
async function consentsAt(provider: 'google' | 'microsoft'): Promise<string> {
  const { url, port } = inject('product');
  return (await fetch(`${url.replace(`${port}`, `${port + 3}`)}/${provider}/connections`)).text();
}

// One story, told in order: each step begins where the one before ended.
describe('§2 Warm Up page', () => {
  it('§2 begins with what it does, two buttons and no accounts', async () => {
    await accounts().getByText(emptyText).waitFor();

    const text = await page.locator('main').innerText();
    for (const word of ['Gradual volume', 'engagement', 'monitoring', 'Lower spam risk', 'coming soon']) {
      expect(text).toContain(word);
    }
    expect(await page.getByRole('button', { name: 'Remove all credentials' }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it("§5 refusing consent connects nothing and says 'Missing code or state'", async () => {
    await goToConsent('Gmail', 'Ines Carvalho');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.waitForURL('**/oauth/callback?**');
    await page.getByRole('heading', { name: 'Missing code or state' }).waitFor();
    await page.getByText('Access was not allowed at the provider').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('link', { name: 'Back to Warm Up' }).click();
    await accounts().getByText(emptyText).waitFor();
    expect(await consentsAt('google')).not.toContain('ines.carvalho@gmail.test');
  });

  it('§4 connects a Google account, and the way back leads past the callback page', async () => {
    const callback = page.waitForRequest('**/oauth/callback?**');
    await goToConsent('Gmail', 'Ines Carvalho');
    await page.getByRole('button', { name: 'Allow' }).click();

    await page.waitForURL('**/warm-up');
    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test']);
    expect(await page.evaluate(storedProvider)).toBe('GOOGLE');
    const addressOfReturn = (await callback).url();
    await page.goBack();
    expect(page.url()).not.toContain('/oauth/callback');

    // Somebody who finds the address of the return in a history cannot use it again.
    await page.goto(addressOfReturn);
    await page.getByText('This connection was not started by you, or is finished already.').waitFor();
    await page.getByRole('link', { name: 'Back to Warm Up' }).click();
    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test']);
  });

  it('§4 connects Microsoft accounts too', async () => {
    await goToConsent('Microsoft', 'Mara Lindqvist');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL('**/warm-up');
    await accounts().getByText('mara.lindqvist@outlook.test').waitFor();

    await goToConsent('Microsoft', 'Jun Watanabe');
    await page.getByRole('button', { name: 'Accept' }).click();

    await page.waitForURL('**/warm-up');
    await expect
      .poll(shown)
      .toEqual(['ines.carvalho@gmail.test', 'mara.lindqvist@outlook.test', 'jun.watanabe@contoso.test']);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('§2 asks before it removes one, and shows where consent is withdrawn at Microsoft', async () => {
    const dialog = page.getByRole('dialog', { name: 'Remove account' });
    await page.getByRole('button', { name: 'Remove mara.lindqvist@outlook.test' }).click();
    await dialog.getByText('This action will revoke access for:').waitFor();
    await dialog.getByText('mara.lindqvist@outlook.test').waitFor();
    await dialog.getByText('You can reconnect the account at any time.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await shown()).toHaveLength(3);

    await page.getByRole('button', { name: 'Remove mara.lindqvist@outlook.test' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();

    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test', 'jun.watanabe@contoso.test']);
    const link = page.getByRole('link', { name: 'Withdraw consent at Microsoft' });
    expect(await link.getAttribute('href')).toContain('/microsoft/connections');
    expect(await consentsAt('microsoft')).toContain('mara.lindqvist@outlook.test');
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('§7 tries the provider’s own call when the common one fails in the server', async () => {
    const failing = '**/api/warm-up/oauth/credentials?accountEmail=*';
    await page.route(failing, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Remove jun.watanabe@contoso.test' }).click();
    await page
      .getByRole('dialog', { name: 'Remove account' })
      .getByRole('button', { name: 'Remove', exact: true })
      .click();

    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test']);
    await page.unroute(failing);
  });

  it('§8 shows the last error in an alert, and goes on from there', async () => {
    const failing = '**/api/warm-up/oauth/*/authorize';
    await page.route(failing, (route) => route.fulfill({ status: 500 }));
    await page.getByRole('button', { name: 'Connect Microsoft' }).click();
    await page.getByRole('alert').getByText('Failed to get authorization URL').waitFor();
    expect(new URL(page.url()).pathname).toBe('/warm-up');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.unroute(failing);

    await goToConsent('Microsoft', 'Jun Watanabe');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL('**/warm-up');
    await expect.poll(shown).toHaveLength(2);
  });

  it('§8 clears the list when it cannot be loaded, says so, and loads it when asked again', async () => {
    const failing = '**/api/warm-up/oauth/credentials';
    await page.route(failing, (route) => route.fulfill({ status: 503 }));
    await page.reload();
    // This tab last went to Microsoft.
    await page.getByRole('alert').getByText('Failed to load Microsoft authorized credentials').waitFor();
    expect(await shown()).toEqual([]);
    await page.unroute(failing);

    await page.getByRole('button', { name: 'Retry' }).click();

    await expect.poll(shown).toHaveLength(2);
  });

  it('§2 removes all after asking, and Google is told', async () => {
    expect(await consentsAt('google')).toContain('ines.carvalho@gmail.test');
    await page.getByRole('button', { name: 'Remove all credentials' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove all accounts' });
    await dialog
      .getByText('This action will revoke access for all connected accounts. This cannot be undone.')
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await shown()).toHaveLength(2);

    await page.getByRole('button', { name: 'Remove all credentials' }).click();
    await dialog.getByRole('button', { name: 'Remove all', exact: true }).click();

    await accounts().getByText(emptyText).waitFor();
    await expect.poll(() => consentsAt('google')).not.toContain('ines.carvalho@gmail.test');
    await page.reload();
    await accounts().getByText(emptyText).waitFor();
  });
});
