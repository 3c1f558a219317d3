import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What `copy` puts on the clipboard, which is emptied first: text or notice of an earlier copy may still be there. */
export async function copiedBy(page: Page, copy: () => Promise<unknown>): Promise<string> {
  const read = () => page.evaluate<string>('navigator.clipboard.readText()');
  await page.evaluate("navigator.clipboard.writeText('')");
  await expect.poll(read).toBe('');
  await copy();
  await expect.poll(read).not.toBe('');
  return read();
}

export const clipboardPermissions = ['clipboard-read', 'clipboard-write'];
