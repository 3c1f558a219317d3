import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { newCustomer } from '../support/customer.ts';

let page: Page;
beforeEach(async () => {
  const { open } = await newCustomer();
  // Low, so that every page is longer than the window.
  const viewport = { width: 1280, height: 300 };
  page = await open('about:blank', { viewport, reducedMotion: 'no-preference' });
  await page.addInitScript(recordMotion);
  await page.clock.install();
  await page.goto('/billing');
  await page.getByRole('heading', { name: 'Credits history' }).waitFor();
});

/** Every movement that the page starts from script, as it starts. */
const recordMotion = `
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.motions.push(options.duration);
    return animate.call(this, frames, options);
  };
`;
const motions = () => page.evaluate<number[]>('window.motions');
const scrolledBy = () => page.evaluate<number>('window.scrollY');
/** The part of an element that we use; tests have no DOM types. */
interface Focusable {
  focus(options: { preventScroll: boolean }): void;
}

// By keyboard, because a click may scroll its target into view.
async function press(target: Locator): Promise<void> {
  await target.evaluate((element: Focusable) => element.focus({ preventScroll: true }));
  await page.keyboard.press('Enter');
}

/** A page that still loads is shorter: it must not be scrolled by more than there is below its window then. */
const scrolledPx = 40;

async function scrollDown(): Promise<void> {
  await page.evaluate(`window.scrollTo(0, ${scrolledPx})`);
  await expect.poll(scrolledBy).toBe(scrolledPx);
}

/** Parts of pages that are drawn a paint later are not drawn until it goes on. */
async function stopClock(): Promise<void> {
  const now = await page.evaluate<number>('Date.now()');
  await page.clock.pauseAt(now + 60_000);
}

async function expectScrollReset(): Promise<void> {
  await page.clock.runFor(340);
  await expect.poll(scrolledBy).toBe(scrolledPx);
  await page.clock.runFor(20);
  await expect.poll(scrolledBy).toBe(0);
}

describe('§2 Message pages and all others', () => {
  it('§2 the page transition takes 150 ms, and the page scroll resets 350 ms after navigation', async () => {
    await scrollDown();
    await expect.poll(motions).toEqual([]);
    await stopClock();
    await press(page.locator('aside a[href="/account"]'));
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await expect.poll(motions).toEqual([150]);

    await expectScrollReset();

    // A browser set to reduced motion shows none.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await press(page.locator('aside a[href="/billing"]'));
    await page.getByRole('heading', { name: 'Billing', exact: true }).waitFor();
    await expect.poll(motions).toEqual([150]);
  });

  it('§2 Message pages: both hold on the way to a message page, and on the way back from it', async () => {
    await page.route('**/subscriptions/customer_portal*', (route) => route.fulfill({ status: 500 }));
    await scrollDown();
    await stopClock();
    await press(page.getByRole('button', { name: 'Upgrade Plan' }));
    await page.getByRole('heading', { name: 'Whoops!' }).waitFor();
    await expect.poll(motions).toEqual([150]);
    await expectScrollReset();

    await scrollDown();
    await press(page.getByRole('button', { name: 'Reload' }));
    await page.getByRole('heading', { name: 'Billing', exact: true }).waitFor();
    await expect.poll(motions).toEqual([150, 150]);
    await expectScrollReset();
  });
});

describe('what happens by itself while a page is open', () => {
  const expired = JSON.stringify({ value: 'WEEK', ttl: 1, expiry_date: '2026-01-01T00:00:00Z' });
  const entry = () => page.evaluate<string | null>("localStorage.getItem('assay.cache.forgotten')");

  it("§4 Local cache: a sweep every 30 s deletes expired entries; a new version is offered, and 'Reload' brings it", async () => {
    await page.evaluate(`localStorage.setItem('assay.cache.forgotten', ${JSON.stringify(expired)})`);

    await page.clock.fastForward(30_000);

    await expect.poll(entry).toBeNull();

    await page.route('**/version.json', (route) =>
      route.fulfill({ json: { version: '1.0.0', commit: 'a-newer-one' } }),
    );
    await page.clock.fastForward(5 * 60_000);
    const offer = page.getByRole('status').filter({ hasText: 'A new version of Assay is ready.' });
    await offer.waitFor();
    const reloaded = page.waitForEvent('load');
    await offer.getByRole('button', { name: 'Reload' }).click();

    await reloaded;
    await page.getByRole('heading', { name: 'Credits history' }).waitFor();
    await expect.poll(() => offer.count()).toBe(0);
  });
});
