import type { Client } from '@assay/client';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { newCustomer, openCustomer } from '../support/customer.ts';
import { gotoAndListen } from '../support/visitor.ts';

let page: Page;
let api: Client;

describe('§4 Realtime channel', () => {
  it('§4 opened once the user is loaded, one channel for all pages; refresh_billing reloads the wallet', async () => {
    const { person, open } = await newCustomer();
    page = await open('about:blank');
    const happened: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/users/me')) happened.push('user loaded');
    });
    page.on('websocket', (socket) => happened.push(`channel ${new URL(socket.url()).pathname}`));
    await gotoAndListen(page, '/email-verification/single');
    expect(happened).toEqual(['user loaded', 'channel /api/realtime']);

    const links = page.getByRole('navigation', { name: 'Main' });
    await links.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await links.getByRole('link', { name: 'Billing' }).click();
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await sidebar.getByText('1.0k', { exact: true }).waitFor();

    await assay(
      'credits',
      'grant',
      '--email',
      person.email,
      '--credits',
      '500',
      '--reason',
      'Sorry for the wait',
    );
    await sidebar.getByText('1.5k', { exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: '+500' }).waitFor();
    expect(happened.filter((what) => what.startsWith('channel'))).toHaveLength(1);
  });
});

const notice = () => page.getByRole('status', { name: 'Connection' });

const showTab = (visibility: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

describe('a connection that comes and goes', () => {
  beforeEach(async () => {
    ({ page, api } = await openCustomer('/email-verification/single'));
    await page.getByText('No single verifications yet').waitFor();
  });

  it('without WebSockets the page says so and asks by itself, except in a hidden tab, until they are back', async () => {
    let areSocketsBlocked = true;
    await page.routeWebSocket('**/api/realtime', (socket) => {
      if (areSocketsBlocked) void socket.close();
      else socket.connectToServer();
    });
    await page.clock.install();
    await page.reload();
    await notice().getByText('Live updates are off. Refreshing every 5 seconds.').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    // Started through the API, so that only asking can bring it to the screen.
    await api.validations.startSingle({ body: { email_address: 'jane@exists.test' } });
    await page.getByRole('row').filter({ hasText: 'jane@exists.test' }).getByText('Complete').waitFor();

    let askedCount = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/validations/')) askedCount += 1;
    });
    await showTab('hidden');
    // Requests that began before the tab was hidden have been counted after this.
    await page.clock.runFor(5_000);
    const before = askedCount;
    await page.clock.runFor(20_000);
    expect(askedCount).toBe(before);
    await showTab('visible');
    await expect.poll(() => askedCount).toBeGreaterThan(before);

    areSocketsBlocked = false;
    await page.evaluate("dispatchEvent(new Event('online'))");
    await notice().getByText('Live updates are off').waitFor({ state: 'hidden' });
  });

  it('offline, a typed address waits and is verified once when the connection is back', async () => {
    const field = page.getByRole('textbox', { name: 'Verify a single email' });

    await page.context().setOffline(true);
    await notice().getByText('You are offline. Waiting for the connection…').waitFor();
    await field.fill('jane@exists.test');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('jane@exists.test');
    await page.context().setOffline(false);

    await page.getByText('Email verification started for email jane@exists.test.').waitFor();
    await notice().getByText('You are offline').waitFor({ state: 'hidden' });
    const singles = await api.validations.listSingles();
    expect(singles.total).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/email-verification/single');
  });

  it('a server that is away for a moment is asked again, and a call that costs credits is made once', async () => {
    const started = '**/api/validations/email_validation';
    const keys = new Set<string | undefined>();
    let attempts = 0;
    await page.route(started, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.add(route.request().headers()['idempotency-key']);
      attempts += 1;
      if (attempts > 2) return route.fallback();
      // The first attempt arrives and its answer is lost; the second does not arrive.
      if (attempts === 1) await route.fetch();
      return route.abort('connectionreset');
    });
    const field = page.getByRole('textbox', { name: 'Verify a single email' });
    await field.fill('max@exists.test');
    await field.press('Enter');

    await notice().getByText('Assay cannot be reached. Trying again…').waitFor();
    await page.getByText('Email verification started for email max@exists.test.').waitFor();
    expect([attempts, keys.size]).toEqual([3, 1]);
    expect((await api.validations.listSingles()).total).toBe(1);
  });

  it('a call that is put off with Retry-After is made again, without a message', async () => {
    const wallet = '**/api/billing/me';
    let isBusy = true;
    await page.route(wallet, (route) =>
      isBusy ? route.fulfill({ status: 503, headers: { 'retry-after': '3' }, json: {} }) : route.fallback(),
    );
    // Awaited from before the page loads, since it is shown for as long as the server is busy only.
    const told = notice().getByText('Assay is busy. Trying again in a moment…').waitFor();
    await page.goto('/billing');
    await told;
    isBusy = false;

    await page.getByRole('button', { name: 'Compare Plans' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/billing');
    await expect.poll(() => page.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(0);
  });

  it('the result of a quick check from the bulk tab is shown after its start, also when it is known first', async () => {
    const socket = await gotoAndListen(page, '/email-verification/bulk');
    const starting = '**/api/validations/email_validation';
    await page.route(starting, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const told = socket.waitForEvent('framereceived', ({ payload }) =>
        String(payload).includes('verification_complete'),
      );
      const response = await route.fetch();
      await told;
      return route.fulfill({ response });
    });
    const field = page.getByRole('textbox', { name: 'Verify a single email' });
    await field.fill('jane@exists.test');
    await field.press('Enter');

    // The first may have gone when the second comes.
    const messages = page.getByRole('status').filter({ hasText: /started|successful/ });
    const wanted = [
      'Email verification started for email jane@exists.test.',
      'Verification successful! Valid email',
    ];
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        for (const text of await messages.allInnerTexts()) seen.add(text.trim());
        // A message may be read while it changes, with the icon of the one and the words of the other.
        return [...seen].filter((text) => wanted.includes(text));
      })
      .toEqual(wanted);

    // The bulk tab tells results too.
    await page.getByRole('tab', { name: 'Bulk verifications' }).click();
    await page.getByText('No lists yet').waitFor();
    await api.validations.startSingle({ body: { email_address: 'nobody@exists.test' } });
    await page.getByText('Verification successful! Invalid email', { exact: true }).waitFor();
  });

  it('a wallet that is refused, and refused again when the channel opens, is shown once', async () => {
    const wallet = '**/api/billing/me';
    const json = { errors: [{ code: 'no_wallet', message: 'The wallet is being moved.' }] };
    let refusedCount = 0;
    await page.route(wallet, (route) => {
      refusedCount += 1;
      return route.fulfill({ status: 409, json });
    });
    await gotoAndListen(page, '/account');
    await expect.poll(() => refusedCount).toBe(2);
    await page.getByText('The wallet is being moved.').first().waitFor();

    await expect.poll(() => page.getByText('The wallet is being moved.').count()).toBe(1);
  });

  it('§8 a call that fails with 500 leads to /internal-error, and what was typed is there again after Reload', async () => {
    const failing = '**/api/validations/email_validation';
    const field = page.getByRole('textbox', { name: 'Verify a single email' });
    await field.fill('typed@exists.test');
    await page.route(failing, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.fallback(),
    );
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Whoops!' }).waitFor();
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Reload' }).click();

    await expect.poll(() => field.inputValue()).toBe('typed@exists.test');
    // Only once: the next visit begins empty.
    await page.getByRole('link', { name: 'Billing' }).click();
    await field.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Email verification' }).click();
    await expect.poll(() => field.inputValue()).toBe('');
  });
});
