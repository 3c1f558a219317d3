import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Chooses from the menu that this button opens. A page that scrolls, or that grows while it loads, may hide a menu that
 * was just opened; it is then opened again.
 */
export async function chooseFrom(button: Locator, action: string): Promise<void> {
  const item = button.page().getByRole('menuitem', { name: action, exact: true });
  const choose = async () => {
    if (!(await item.isVisible())) await button.click();
    return item.click({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(choose).toBe(true);
}

/** Chooses from the menu of the row, or of the page, of this name. */
export const chooseFromMenu = (page: Page, name: string, action: string): Promise<void> =>
  chooseFrom(page.getByRole('button', { name: `Actions for ${name}`, exact: true }), action);
