import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openCustomer } from '../support/customer.ts';
import { cutOffAtAnyWidth, sidewaysOverflow } from '../support/visitor.ts';

let page: Page;
const open = async (path: string) => {
  ({ page } = await openCustomer(path));
};

const bodyText = () => page.locator('body').innerText();
const pathNow = () => new URL(page.url()).pathname;

describe('moving from page to page', () => {
  const announced = () => page.getByTestId('page-announcer').textContent();
  const focused = () => page.evaluate<string>('document.activeElement.tagName');

  it('says the title of the new page, and keeps the focus where a keyboard can go on', async () => {
    await open('/email-verification/single');
    await page.getByRole('heading', { name: 'Email verification' }).waitFor();
    expect(await announced()).toBe('');

    await page.getByRole('link', { name: 'Billing' }).click();
    await expect.poll(announced).toBe('Billing · Assay');
    expect(await focused()).toBe('A');

    // The element that had the focus is gone with its page.
    await page.goto('/no-such-page');
    await page.getByRole('button', { name: 'Home' }).click();
    await expect.poll(announced).toBe('Email verification · Assay');
    expect(await focused()).toBe('MAIN');
  });

  it('paints the gutter of the scroll bar like the page behind a dialog', async () => {
    await open('/account');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').waitFor();

    const gutter = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    expect(gutter).toBe('rgb(150, 150, 152)');
    await page.keyboard.press('Escape');
  });
});

describe('routes', () => {
  it('§2 Routes: every path shows its page', async () => {
    await open('/');
    for (const [path, place] of [
      ['/', '/email-verification/single'],
      ['/email-verification', '/email-verification/single'],
      ['/email-verification/bulk', '/email-verification/bulk'],
      ['/billing', '/billing'],
      ['/account', '/account'],
      ['/warm-up', '/warm-up'],
    ] as const) {
      await page.goto(path);
      await page.waitForURL(`**${place}`);
      await page.getByRole('heading').first().waitFor();

      expect(pathNow()).toBe(place);
    }
  });

  it('§2 Message pages: unknown paths and pages behind a flag show not found, word for word', async () => {
    await open('/no-such-page');
    for (const path of ['/no-such-page', '/email-guessing/single', '/not-found']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Content not Found' }).waitFor();

      expect(await bodyText()).toContain(
        "This content is no longer available. Head over to Home and check out what's new!",
      );
      await page
        .getByRole('button', { name: 'Home' })
        .or(page.getByRole('link', { name: 'Home', exact: true }))
        .click();
      await page.waitForURL('**/email-verification/single');
    }
  });

  it('§2 Message pages: /internal-error says Whoops!, and Reload leads on when the page was opened by its address', async () => {
    await open('/billing');
    await page.goto('/internal-error?source_url=%2Fbilling');
    await page.getByRole('heading', { name: 'Whoops!' }).waitFor();
    expect(await bodyText()).toContain('There was a system error, please try again in a minute');

    await page.getByRole('button', { name: 'Reload' }).click();

    await page.waitForURL('**/billing');
  });

  it.each(['/not-found', '/forbidden'])(
    '§2 Message pages: the button of %s navigates to the decoded source_url',
    async (path) => {
      const source = '/email-verification/bulk?page_size=25';
      await open(`${path}?source_url=${encodeURIComponent(source)}`);
      await page.getByRole('button', { name: 'Home' }).click();

      await page.waitForURL(`**${source}`);
      await page.getByRole('heading', { name: 'Email verification' }).waitFor();
    },
  );

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

  it('/redirect and source_url lead to no other site', async () => {
    await open('/');
    for (const target of [
      'https://elsewhere.test/',
      '//elsewhere.test/',
      '/\\elsewhere.test',
      'javascript:alert(1)',
    ]) {
      await page.goto(`/redirect?to=${encodeURIComponent(target)}`);
      await page.waitForURL('**/email-verification/single');
      await page.goto(`/forbidden?source_url=${encodeURIComponent(target)}`);
      await page.getByRole('button').or(page.getByRole('link')).last().click();

      await page.waitForURL('**/email-verification/single');
      expect(new URL(page.url()).origin).toBe(inject('product').url);
    }
  });

  it('/redirect leads to a path of ours', async () => {
    await open('/redirect?to=%2Fbilling');

    await page.waitForURL('**/billing');
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
    '%s has no accessibility violation and does not scroll sideways, light and dark, wide and narrow',
    async (place) => {
      await open(place);
      await page.getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle');

      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1280, 320]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 860 });

          expect([colorScheme, width, await accessibilityProblems(page)]).toEqual([colorScheme, width, []]);
          expect(await sidewaysOverflow(page)).toBe(0);
        }
      }
      expect(await cutOffAtAnyWidth(page)).toEqual([]);
    },
  );
});
