import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openPage, sidewaysOverflow } from '../support/visitor.ts';

const pages: readonly string[] = [
  '/docs',
  '/docs/verdicts',
  '/docs/webhooks',
  '/docs/errors',
  '/docs/limits',
  '/docs/sandbox',
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

describe('the guide', () => {
  it('is accessible and whole, light and dark, wide and narrow', async () => {
    const page = await openPage();
    const complaints = listenForComplaints(page);
    for (const path of pages) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // Looking for problems takes seconds per page, so each page is looked at once, and other schemes and widths at a few.
      for (const { colorScheme, width, isLookedAt } of [
        { colorScheme: 'dark', width: 1280, isLookedAt: path === '/docs/verdicts' },
        { colorScheme: 'light', width: 390, isLookedAt: path === '/docs/limits' },
        { colorScheme: 'light', width: 1280, isLookedAt: true },
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await sidewaysOverflow(page), `${path} ${colorScheme} ${width}`).toBe(0);
        if (isLookedAt) expect(await accessibilityProblems(page), `${path} ${colorScheme}`).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });

  it('is read without signing in, from page to page, and examples are copied', async () => {
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/docs');
    const first = page.getByRole('figure').filter({ hasText: 'curl' }).first();
    await first.getByRole('button', { name: 'Copy' }).click();
    await first.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^curl -s "http/);

    const navigation = page.getByRole('navigation', { name: 'Documentation' });
    await navigation.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await navigation.getByRole('link', { name: 'Reference' }).click();
    await page.getByRole('heading', { name: 'Assay API' }).first().waitFor();
  });
});
