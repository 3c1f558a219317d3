import { appConfigSchema } from '@assay/contract';
import type { Page, Request } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openCustomer, tokenOf } from '../support/customer.ts';
import { gotoAndListen, openPage } from '../support/visitor.ts';

let page: Page;
beforeEach(async () => {
  ({ page } = await openCustomer('/warm-up'));
  await page.getByRole('heading', { name: 'Email Warm Up' }).waitFor();
});

const accounts = () => page.getByRole('region', { name: 'Authorized accounts' });
const shownIn = (tab: Page) =>
  tab
    .getByRole('region', { name: 'Authorized accounts' })
    .getByRole('listitem')
    .getByText(/@/)
    .allInnerTexts();
const shown = () => shownIn(page);
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

const alerted = (text: string) => page.getByRole('alert').getByText(text, { exact: true });
const listing = '**/api/warm-up/oauth/credentials';
const finishing = '**/api/warm-up/oauth/*/callback';

/** Asks again, unless the page was quicker: it loads everything once more when its channel opens. */
const retry = () =>
  page
    .getByRole('button', { name: 'Retry' })
    .click({ timeout: 20_000 })
    .catch(() => undefined);

/** The credentials of a call. */
async function callerOf(request: Request): Promise<{ key: string | undefined; bearer: string | undefined }> {
  const headers = await request.allHeaders();
  return { key: headers['x-api-key'], bearer: headers.authorization };
}

/** The consents that people have given at the stand-in, as its own page lists them. */
async function consentsAt(provider: 'google' | 'microsoft'): Promise<string> {
  const { url, port } = inject('product');
  return (await fetch(`${url.replace(`${port}`, `${port + 3}`)}/${provider}/connections`)).text();
}

// People at the stand-in are shared by all customers: only one test connects Ines Carvalho, and none connects Tom Okafor.
describe('§2 Warm Up page', () => {
  it('§2 begins with what it does, two buttons and no accounts; §8 says that the list could not be loaded; §7 its calls carry an API key and the bearer token', async () => {
    await accounts().getByText(emptyText).waitFor();

    const text = await page.locator('main').innerText();
    for (const word of ['Gradual volume', 'engagement', 'monitoring', 'Lower spam risk', 'coming soon']) {
      expect(text).toContain(word);
    }
    await expect.poll(() => page.getByRole('button', { name: 'Remove all credentials' }).count()).toBe(0);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await page.route(listing, (route) => route.fulfill({ status: 503 }));
    const asked = page.waitForRequest(listing);
    await page.reload();
    await alerted('Failed to load authorized credentials').waitFor();
    await page.unroute(listing);
    await retry();
    await accounts().getByText(emptyText).waitFor();

    const config = await fetch(`${inject('product').url}/config.json`);
    const { client_key } = appConfigSchema.parse(await config.json());
    const token = await tokenOf(page);
    expect(await callerOf(await asked)).toEqual({ key: client_key, bearer: `Bearer ${token}` });

    // The callback page is outside the private layout and works without a session.
    const visitor = await openPage();
    const posted = visitor.waitForRequest(finishing);
    await visitor.goto('/oauth/callback?code=c&state=s');
    expect(await callerOf(await posted)).toEqual({ key: client_key, bearer: undefined });
    await visitor.getByRole('link', { name: 'Back to Warm Up' }).waitFor();
  });

  it("§8 the callback page: a spinner, then 'Callback failed ({status})', or 'Unexpected error'", async () => {
    const answered = Promise.withResolvers<void>();
    await page.route(finishing, async (route) => {
      await answered.promise;
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await page.goto('/oauth/callback?code=c&state=s');
    const waiting = page.getByRole('status').filter({ hasText: 'Connecting your account' });
    await waiting.getByTestId('spinner').waitFor();
    answered.resolve();
    await page.getByText('Callback failed (502)', { exact: true }).waitFor();
    await waiting.waitFor({ state: 'detached' });
    await page.unroute(finishing);

    await page.route(finishing, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Hello</h1>' }),
    );
    await page.reload();
    await page.getByText('Unexpected error', { exact: true }).waitFor();
    await page.getByText('The answer could not be read').waitFor();
    await page.unroute(finishing);

    await page.goto('/oauth/callback?code=c');
    await page.getByText('Missing code or state', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to Warm Up' }).click();
    await accounts().getByText(emptyText).waitFor();
  });

  it("§5 refusing consent connects nothing and says 'Missing code or state'", async () => {
    await goToConsent('Gmail', 'Tom Okafor');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.waitForURL('**/oauth/callback?**');
    await page.getByRole('heading', { name: 'Your mailbox was not connected' }).waitFor();
    await page.getByText('Missing code or state', { exact: true }).waitFor();
    await page.getByText('Access was not allowed at the provider').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await page.getByRole('link', { name: 'Back to Warm Up' }).click();
    await accounts().getByText(emptyText).waitFor();
    expect(await consentsAt('google')).not.toContain('tom.okafor@gmail.test');
  });

  it('§4 connects a Google account, and the way back leads past the callback page; §2 removes all after asking, and tells Google', async () => {
    const callback = page.waitForRequest('**/oauth/callback?**');
    await goToConsent('Gmail', 'Ines Carvalho');
    await page.getByRole('button', { name: 'Allow' }).click();

    await page.waitForURL('**/warm-up');
    await page.getByText('Your mailbox is connected.', { exact: true }).waitFor();
    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test']);
    await expect.poll(() => page.evaluate(storedProvider)).toBe('GOOGLE');
    const addressOfReturn = (await callback).url();
    await page.goBack();
    expect(page.url()).not.toContain('/oauth/callback');

    // The return address in the browser's history cannot be used again.
    await page.goto(addressOfReturn);
    await page.getByText('This connection was not started by you, or is finished already.').waitFor();
    await page.getByRole('link', { name: 'Back to Warm Up' }).click();
    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test']);

    await goToConsent('Microsoft', 'Jun Watanabe');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL('**/warm-up');
    await expect.poll(shown).toEqual(['ines.carvalho@gmail.test', 'jun.watanabe@contoso.test']);

    expect(await consentsAt('google')).toContain('ines.carvalho@gmail.test');
    await page.getByRole('button', { name: 'Remove all credentials' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove all accounts' });
    await dialog
      .getByText('This action will revoke access for all connected accounts. This cannot be undone.')
      .waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(shown).toHaveLength(2);

    const removing = '**/api/warm-up/oauth/credentials/all';
    await page.route(removing, (route) => route.fulfill({ status: 500 }));
    await page.getByRole('button', { name: 'Remove all credentials' }).click();
    await dialog.getByRole('button', { name: 'Remove all', exact: true }).click();
    await alerted('Failed to remove all credentials').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(shown).toHaveLength(2);
    await page.unroute(removing);

    await page.getByRole('button', { name: 'Remove all credentials' }).click();
    await dialog.getByRole('button', { name: 'Remove all', exact: true }).click();

    await accounts().getByText(emptyText).waitFor();
    await expect.poll(() => consentsAt('google')).not.toContain('ines.carvalho@gmail.test');
    await page.reload();
    await accounts().getByText(emptyText).waitFor();
  });

  it('§4 connects Microsoft accounts too; §2 asks before it removes one, and shows where consent is withdrawn; §7 tries the provider’s own call when the common one fails in the server; another tab follows', async () => {
    // Never reloaded.
    const watching = await page.context().newPage();
    await gotoAndListen(watching, '/warm-up');
    await watching.getByText(emptyText).waitFor();
    await goToConsent('Microsoft', 'Mara Lindqvist');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL('**/warm-up');
    await accounts().getByText('mara.lindqvist@outlook.test').waitFor();

    await goToConsent('Microsoft', 'Jun Watanabe');
    await page.getByRole('button', { name: 'Accept' }).click();

    await page.waitForURL('**/warm-up');
    await expect.poll(shown).toEqual(['mara.lindqvist@outlook.test', 'jun.watanabe@contoso.test']);
    await expect.poll(() => shownIn(watching)).toEqual(await shown());
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    const dialog = page.getByRole('dialog', { name: 'Remove account' });
    await page.getByRole('button', { name: 'Remove mara.lindqvist@outlook.test' }).click();
    await dialog.getByText('This action will revoke access for:').waitFor();
    await dialog.getByText('mara.lindqvist@outlook.test').waitFor();
    await dialog.getByText('You can reconnect the account at any time.').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(shown).toHaveLength(2);

    await page.getByRole('button', { name: 'Remove mara.lindqvist@outlook.test' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();

    await expect.poll(shown).toEqual(['jun.watanabe@contoso.test']);
    await expect.poll(() => shownIn(watching)).toEqual(['jun.watanabe@contoso.test']);
    const link = page.getByRole('link', { name: 'Withdraw consent at Microsoft' });
    await expect.poll(() => link.getAttribute('href')).toContain('/microsoft/connections');
    expect(await consentsAt('microsoft')).toContain('mara.lindqvist@outlook.test');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    const failing = '**/api/warm-up/oauth/credentials?accountEmail=*';
    await page.route(failing, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Remove jun.watanabe@contoso.test' }).click();
    await page
      .getByRole('dialog', { name: 'Remove account' })
      .getByRole('button', { name: 'Remove', exact: true })
      .click();

    await accounts().getByText(emptyText).waitFor();
    await watching.getByText(emptyText).waitFor();
    await expect.poll(() => watching.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(0);
  });

  it('§8 shows the last error in an alert, and goes on from there; clears the list when it cannot be loaded, says so, and loads it at Retry; §2 Warm Up: of several errors the alert shows the last', async () => {
    const failing = '**/api/warm-up/oauth/*/authorize';
    await page.route(failing, (route) => route.fulfill({ status: 500 }));
    await page.getByRole('button', { name: 'Connect Microsoft' }).click();
    await page.getByRole('alert').getByText('Failed to get authorization URL').waitFor();
    expect(new URL(page.url()).pathname).toBe('/warm-up');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.unroute(failing);

    await page.route(failing, (route) => route.fulfill({ json: {} }));
    await page.getByRole('button', { name: 'Connect Microsoft' }).click();
    await alerted('Missing authorizationUrl in response').waitFor();
    await page.unroute(failing);

    await goToConsent('Microsoft', 'Jun Watanabe');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL('**/warm-up');
    await expect.poll(shown).toHaveLength(1);

    await page.route(listing, (route) => route.fulfill({ status: 503 }));
    await page.reload();
    // This tab connected Microsoft last.
    await page.getByRole('alert').getByText('Failed to load Microsoft authorized credentials').waitFor();
    await expect.poll(shown).toEqual([]);
    await page.unroute(listing);

    await retry();

    await expect.poll(shown).toHaveLength(1);

    const removing = '**/api/warm-up/oauth/credentials?accountEmail=*';
    const authorizing = '**/api/warm-up/oauth/*/authorize';
    const lastError = page.getByRole('alert').filter({ hasText: /\w/ });
    await page.route(removing, (route) => route.fulfill({ status: 400, json: {} }));
    // The list is loaded again after a refusal, so this error is the later one.
    await page.route(listing, (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Remove jun.watanabe@contoso.test' }).click();
    await page
      .getByRole('dialog', { name: 'Remove account' })
      .getByRole('button', { name: 'Remove', exact: true })
      .click();
    await expect
      .poll(() => lastError.allInnerTexts())
      .toEqual(['Failed to load Microsoft authorized credentials']);

    await page.route(authorizing, (route) => route.fulfill({ status: 500 }));
    await page.getByRole('button', { name: 'Connect Microsoft' }).click();
    await expect.poll(() => lastError.allInnerTexts()).toEqual(['Failed to get authorization URL']);

    for (const pattern of [removing, listing, authorizing]) await page.unroute(pattern);
    await retry();
    await expect.poll(shown).toHaveLength(1);
  });
});
