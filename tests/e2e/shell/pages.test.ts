import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { sharedBrowser } from '../support/browser.ts';
import { openCustomer } from '../support/customer.ts';
import { cutOffAtAnyWidth, sidewaysOverflow } from '../support/visitor.ts';

let page: Page;
const open = async (path: string) => {
  ({ page } = await openCustomer(path));
};

const bodyText = () => page.locator('body').innerText();

describe('moving from page to page', () => {
  const announced = () => page.getByTestId('page-announcer').textContent();
  const focused = () => page.evaluate<string>('document.activeElement.tagName');

  it('says the title of the new page, keeps the focus where a keyboard can go on, and paints the gutter of the scroll bar like the page behind a dialog', async () => {
    await open('/email-verification/single');
    await page.getByRole('heading', { name: 'Email verification' }).waitFor();
    await expect.poll(announced).toBe('');

    await page.getByRole('link', { name: 'Account' }).click();
    await expect.poll(announced).toBe('Account · Assay');
    await expect.poll(focused).toBe('A');

    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').waitFor();
    const gutter = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    expect(gutter).toBe('rgb(150, 150, 152)');

    // The element that had the focus is gone with its page.
    await page.goto('/no-such-page');
    await page.getByRole('button', { name: 'Home' }).click();
    await expect.poll(announced).toBe('Email verification · Assay');
    await expect.poll(focused).toBe('MAIN');
  });
});

describe('the first page of a load', () => {
  it('has its frame and title before its own code is there', async () => {
    await open('/email-verification/single');
    const code = Promise.withResolvers<void>();
    let heldBack = 0;
    await page.route('**/assets/billing-*.js', async (route) => {
      heldBack += 1;
      await code.promise;
      await route.continue();
    });

    await page.goto('/billing');
    await page.getByRole('link', { name: 'Account' }).waitFor();
    await page.getByRole('main').getByRole('img', { name: 'Loading' }).waitFor();
    await page.getByRole('heading', { name: 'Billing' }).waitFor();
    expect(heldBack).toBeGreaterThan(0);

    code.resolve();
    await page.getByRole('heading', { name: 'Credits history' }).waitFor();
  });
});

// Up to version 153, Chromium remembers that the import of a module failed, so only a reload helps there.
const remembersFailedImports = Number.parseInt((await sharedBrowser()).version(), 10) <= 153;

describe('a dialog whose code cannot be loaded', () => {
  it.skipIf(remembersFailedImports)(
    'says so, and opens by the same click when there is a connection again',
    async () => {
      await open('/billing');
      const redeem = page.getByRole('button', { name: 'Redeem credits' });
      await redeem.waitFor();
      // Without the second, the app takes itself for outdated and loads the new build.
      for (const file of ['assets/redeem-dialog-*.js', 'version.json'])
        await page.route(`**/${file}`, (route) => route.abort());
      await redeem.click();
      await page.getByText('This could not be opened. Check your connection and try again.').waitFor();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

      await page.unrouteAll();
      await redeem.click();
      await page.getByRole('dialog').waitFor();
    },
  );
});

describe('messages', () => {
  it.skipIf(remembersFailedImports)(
    'are shown although their code could not be loaded at first',
    async () => {
      await open('about:blank');
      let refused = 0;
      let isAway = true;
      await page.route('**/assets/notice-place-*.js', (route) => {
        refused += 1;
        return isAway ? route.abort() : route.fallback();
      });
      for (const file of ['assets/redeem-dialog-*.js', 'version.json'])
        await page.route(`**/${file}`, (route) => route.abort());
      await page.goto('/billing');
      const redeem = page.getByRole('button', { name: 'Redeem credits' });
      await redeem.click();
      // It is asked for twice at a time: to be loaded early, and to be run.
      await expect.poll(() => refused).toBeGreaterThan(1);

      isAway = false;
      await redeem.click();
      await page.getByText('This could not be opened.').waitFor();
    },
  );
});

describe('keyboard shortcuts', () => {
  const focusedPlaceholder = () => page.locator(':focus').getAttribute('placeholder');

  it('lead to pages, the field and the search, are listed by ?, do nothing in a field, and can be turned off', async () => {
    await open('/billing');
    await page.getByRole('heading', { name: 'Billing' }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Verify a single email').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });

    await page.keyboard.press('v');
    await page.waitForURL('**/email-verification/single');
    const field = page.getByPlaceholder('Verify a single email');
    await expect.poll(focusedPlaceholder).toBe('Verify a single email');
    await page.keyboard.press('b');
    await expect.poll(() => field.inputValue()).toBe('b');
    await field.fill('');
    await page.getByPlaceholder('Search single verifications').waitFor();
    await page.getByRole('link', { name: 'Billing', exact: true }).focus();
    await page.keyboard.press('/');
    await expect.poll(focusedPlaceholder).toBe('Search single verifications');

    await page.getByRole('link', { name: 'Billing', exact: true }).focus();
    await page.keyboard.press('a');
    await page.waitForURL('**/account');
    await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck();
    await page.getByRole('button', { name: 'Sign out', exact: true }).focus();
    await page.keyboard.press('?');
    await page.keyboard.press('b');
    expect(new URL(page.url()).pathname).toBe('/account');
    await expect.poll(() => help.count()).toBe(0);
  });
});

describe('routes', () => {
  it.each(['/', '/email-verification'])('§2 Routes: %s leads to single verifications', async (path) => {
    await open(path);
    await page.waitForURL('**/email-verification/single');
    await page.getByRole('heading', { name: 'Email verification' }).waitFor();
  });

  it('§2 Message pages: unknown paths and pages behind a flag show not found, word for word; its button goes Home, or to the decoded source_url', async () => {
    const source = '/email-verification/bulk?page_size=25';
    const query = `?source_url=${encodeURIComponent(source)}`;
    await open('about:blank');
    for (const [path, target] of [
      ['/no-such-page', '/email-verification/single'],
      ['/email-guessing/single', '/email-verification/single'],
      ['/not-found', '/email-verification/single'],
      [`/not-found${query}`, source],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Content not Found' }).waitFor();

      await expect
        .poll(bodyText)
        .toContain("This content is no longer available. Head over to Home and check out what's new!");
      await page
        .getByRole('button', { name: 'Home' })
        .or(page.getByRole('link', { name: 'Home', exact: true }))
        .click();
      await page.waitForURL(`**${target}`);
      await page.getByRole('heading', { name: 'Email verification' }).waitFor();
    }

    await page.goto(`/forbidden${query}`);
    await page.getByRole('button', { name: 'Home' }).click();
    await page.waitForURL(`**${source}`);
  });

  it('§2 Message pages: /internal-error says Whoops!, and Reload leads on when the page was opened by its address', async () => {
    await open('/internal-error?source_url=%2Fbilling');
    await page.getByRole('heading', { name: 'Whoops!' }).waitFor();
    await expect.poll(bodyText).toContain('There was a system error, please try again in a minute');

    await page.getByRole('button', { name: 'Reload' }).click();

    await page.waitForURL('**/billing');
  });

  it('§8 a call that fails with 500 leads to /internal-error with source_url, and Reload goes back one step', async () => {
    const source = '/email-verification/bulk?page_size=25';
    const failing = '**/api/validations/lists/metrics?*';
    await open(source);
    await page.getByText('No lists yet').waitFor();
    await page.route(failing, (route) => route.fulfill({ status: 500 }));
    await page.getByLabel('Range of the chart').selectOption({ label: 'Emails verified last year' });

    await page.getByRole('heading', { name: 'Whoops!' }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname).toBe('/internal-error');
    expect(search).toBe(`?source_url=${encodeURIComponent(source)}`);
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Reload' }).click();

    await page.waitForURL(`**${source}`);
    await page.getByText('No lists yet').waitFor();
    // Reload went back one step instead of adding one: the error page is still ahead.
    await page.goForward();
    await page.waitForURL('**/internal-error?*');
  });

  // The unit tests try every form of such an address.
  it('/redirect leads to a path of ours; neither it nor source_url leads to another site', async () => {
    const elsewhere = encodeURIComponent('//elsewhere.test/');
    await open('/redirect?to=%2Fbilling');
    await page.waitForURL('**/billing');

    await page.goto(`/redirect?to=${elsewhere}`);
    await page.waitForURL(`${inject('product').url}/email-verification/single`);

    await page.goto(`/forbidden?source_url=${elsewhere}`);
    await page.getByRole('button').or(page.getByRole('link')).last().click();
    await page.waitForURL(`${inject('product').url}/email-verification/single`);
  });
});

describe('every page', () => {
  const places = [
    '/email-verification/single',
    '/email-verification/bulk',
    '/billing',
    '/account',
    '/warm-up',
    '/not-found',
    '/forbidden',
    '/internal-error',
    '/goodbye',
  ];

  it.each(places)(
    '§2 Routes: %s shows its page, without accessibility violations or sideways scrolling, light and dark, wide and narrow',
    async (place) => {
      await open(place);
      await page.getByRole('heading').first().waitFor();
      expect(new URL(page.url()).pathname).toBe(place);
      await page.waitForLoadState('networkidle');

      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 860 });

        await expectAccessibleInBothSchemes(page);
        await expect.poll(() => sidewaysOverflow(page)).toBe(0);
      }
      await expect.poll(() => cutOffAtAnyWidth(page)).toEqual([]);
    },
  );
});
