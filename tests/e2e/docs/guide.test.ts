import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { openPage, sidewaysOverflow } from '../support/visitor.ts';

const pages: readonly string[] = [
  '/docs',
  '/docs/verdicts',
  '/docs/errors',
  '/docs/reference',
  '/docs/reference/single-checks',
  '/docs/search?q=list',
];

/** What the browser complains of, such as something that the content-security policy refuses. */
function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return complaints;
}

/** The programs with text below their button that copies. Runs in the page. */
const coveredPrograms = `[...document.querySelectorAll('.code button')]
  .map((button) => {
    const { left, top, bottom } = button.getBoundingClientRect();
    const program = button.closest('.code').querySelector('pre');
    const text = document.createRange();
    text.selectNodeContents(program);
    const isCovered = [...text.getClientRects()].some(
      (line) => line.width > 0 && line.right > left && line.bottom > top + 2 && line.top < bottom - 2,
    );
    return isCovered ? program.textContent : '';
  })
  .filter((program) => program !== '')`;

describe('the documentation', () => {
  it('is accessible and whole, light and dark, wide and narrow', async () => {
    const page = await openPage();
    const complaints = listenForComplaints(page);
    for (const path of pages) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const width of [320, 390, 768, 1080, 1224, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => sidewaysOverflow(page), { message: `${path} ${width}` }).toBe(0);
        await expect.poll(() => page.evaluate(coveredPrograms), { message: `${path} ${width}` }).toEqual([]);
      }
      // Looking for problems takes seconds per page, so other schemes and widths are looked at on a few.
      for (const { colorScheme, width, rules, isLookedAt } of [
        { colorScheme: 'dark', width: 1280, rules: 'colours', isLookedAt: path === '/docs/verdicts' },
        { colorScheme: 'light', width: 390, rules: 'all', isLookedAt: path === '/docs' },
        { colorScheme: 'light', width: 1280, rules: 'all', isLookedAt: true },
      ] as const) {
        if (!isLookedAt) continue;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await expect
          .poll(() => accessibilityProblems(page, rules), { message: `${path} ${colorScheme} ${width}` })
          .toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });

  it('is read without signing in, from page to page; examples are copied in the language that the reader chose', async () => {
    const page = await openPage({ permissions: clipboardPermissions });
    await page.goto('/docs');
    const curl = page.getByRole('figure').filter({ hasText: 'curl -s' }).first();
    expect(await copiedBy(page, () => curl.getByRole('button', { name: 'Copy' }).click())).toMatch(
      /^curl -s "http/,
    );
    await curl.getByRole('button', { name: 'Copied' }).waitFor();

    await page.getByRole('radio', { name: 'Python' }).first().focus();
    await page.keyboard.press('Space');
    await page.locator('[data-language="sh"]').first().waitFor({ state: 'hidden' });
    const navigation = page.getByRole('navigation', { name: 'Documentation' });
    await navigation.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.getByText('class Receiver').waitFor();

    await navigation.getByRole('link', { name: 'Single checks' }).click();
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Check one address' })
      .click();
    await page.waitForURL('**/docs/reference/single-checks#start-single');
    await page.getByRole('link', { name: 'Open Assay' }).waitFor();
  });

  it('is searched with the keyboard, and keeps the colour scheme that the reader chose', async () => {
    const page = await openPage();
    await page.goto('/docs/limits');
    await page.keyboard.press('/');
    const found = page.getByRole('link', { name: /^Check the signature/ });

    // Results that arrive when the reader has left the field do not open.
    const held = Promise.withResolvers<void>();
    await page.route('**/docs/search?*', (route) => held.promise.then(() => route.continue()));
    const asking = page.waitForRequest('**/docs/search?q=signature');
    await page.keyboard.type('signature');
    const answer = (await asking).response();
    await page.keyboard.press('Tab');
    held.resolve();
    await (await answer)?.finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await expect.poll(() => found.count()).toBe(0);

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('signature');
    await found.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/webhooks#check-the-signature');

    await page.getByLabel('Colour scheme').selectOption('Dark');
    await page.reload();
    await expect.poll(() => page.getByLabel('Colour scheme').inputValue()).toBe('dark');
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.body).backgroundColor'))
      .toBe('rgb(18, 21, 30)');
  });

  it('keeps a reader at the search result where they are when results of more letters arrive', async () => {
    const page = await openPage();
    await page.goto('/docs/limits');
    await page.keyboard.press('/');
    const found = page.getByRole('link', { name: /^Check the signature/ });
    const held = Promise.withResolvers<void>();
    await page.route('**/docs/search?q=signature', (route) => held.promise.then(() => route.continue()));
    await page.keyboard.type('signatur');
    await found.waitFor();
    const asking = page.waitForRequest('**/docs/search?q=signature');
    await page.keyboard.type('e');
    const answer = (await asking).response();
    await page.keyboard.press('ArrowDown');
    held.resolve();
    await (await answer)?.finished();
    await page.getByText('for “signature”.').waitFor();

    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/webhooks#check-the-signature');
  });

  it('on a phone, menu and contents open above the page, and close after a choice', async () => {
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await page.goto('/docs/errors');
    await page.getByRole('button', { name: 'On this page' }).click();
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'All codes' }).click();
    await contents.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Lists', exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Lists' }).waitFor();
  });
});
