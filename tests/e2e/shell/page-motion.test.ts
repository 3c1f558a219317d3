import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { openPage, signIn } from '../support/visitor.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  // Low, so that every page is longer than the window.
  page = await openPage(browser, { viewport: { width: 1280, height: 300 }, reducedMotion: 'no-preference' });
  await page.addInitScript(recordMotion);
  await page.goto('/billing');
  await signIn(page, { email: 'demo@assay.test', password: 'touchstone-demo' });
  await page.waitForURL('**/billing');
  await page.getByRole('heading', { name: 'Credits history' }).waitFor();
});
afterAll(() => browser.close());

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
const focusAccountLink = `document.querySelector('aside a[href="/account"]').focus({ preventScroll: true })`;

describe('§2 Message pages and all others', () => {
  it('§2 the page transition takes 150 ms, and the page scroll resets 350 ms after navigation', async () => {
    await page.clock.install();
    await page.evaluate('window.scrollTo(0, 60)');
    await expect.poll(scrolledBy).toBe(60);
    expect(await motions()).toEqual([]);
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    // By keyboard: a click might scroll the link into view.
    await page.evaluate(focusAccountLink);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await expect.poll(motions).toEqual([150]);
    await page.clock.runFor(340);
    expect(await scrolledBy()).toBe(60);

    await page.clock.runFor(20);
    await expect.poll(scrolledBy).toBe(0);
  });

  it('whoever asked for less motion sees none', async () => {
    await page.clock.resume();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('heading', { name: 'Credits history' }).waitFor();

    expect(await motions()).toEqual([150]);
  });
});
