import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';

/** The lines of the file that a click downloads. Checks its byte-order mark, by which spreadsheets recognize UTF-8. */
export async function downloadedLines(page: Page, click: () => Promise<void>): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return linesOf(download);
}

async function linesOf(download: Download): Promise<string[]> {
  const text = await readFile(await download.path(), 'utf8');
  if (!text.startsWith('\ufeff')) throw new Error(`${download.suggestedFilename()} has no byte-order mark`);
  return text.slice(1).trimEnd().split('\n');
}
