import type { Locator, Page } from 'playwright-core';
import { assay } from '../support/assay-command.ts';
import { openCustomer } from '../support/customer.ts';
import type { TabOptions } from '../support/tabs.ts';

/** A file on a person's disk. */
export interface CsvFile {
  readonly name: string;
  readonly mimeType: string;
  readonly text: string | Buffer;
}

export const csvFile = (name: string, lines: readonly string[]): CsvFile => ({
  name,
  mimeType: 'text/csv',
  text: `${lines.join('\n')}\n`,
});

/** A new customer with this many credits, at the page of bulk verifications. Every new customer has 1,000. */
export async function openBulkPage({
  credits = 1_000,
  ...options
}: TabOptions & { credits?: number } = {}): Promise<Page> {
  const { page, person } = await openCustomer('/email-verification/bulk', options);
  await importButton(page).waitFor();
  if (credits > 1_000) {
    const missing = String(credits - 1_000);
    await assay('credits', 'grant', '--email', person.email, '--credits', missing, '--reason', 'For a test');
  }
  return page;
}

export const importButton = (page: Page) => page.getByRole('button', { name: 'Import email list' });
export const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import email list' });
export const offer = (page: Page) => page.getByRole('dialog', { name: 'Confirm bulk verification' });

/** Chooses a file by 'Browse', whose window lets a person choose any kind of file. */
export async function browseFor(page: Page, { name, mimeType, text }: CsvFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await importDialog(page).getByRole('button', { name: 'Browse' }).click();
  await (await chooser).setFiles({ name, mimeType, buffer: Buffer.from(text) });
}

interface PageDataTransfer {
  readonly items: { add(file: File): void };
}

export const dropFiles = (page: Page, ...files: readonly CsvFile[]): Promise<void> =>
  dropOn(importDialog(page).getByRole('button', { name: 'Browse' }), ...files);

export async function dropOn(area: Locator, ...files: readonly CsvFile[]): Promise<void> {
  const page = area.page();
  const carried = files.map(({ name, mimeType, text }) => ({
    name,
    mimeType,
    bytes: Buffer.from(text).toString('base64'),
  }));
  const dataTransfer = await page.evaluateHandle((dropped) => {
    // Runs in the page, whose types are not those of the tests.
    const { DataTransfer } = globalThis as unknown as { DataTransfer: new () => PageDataTransfer };
    const transfer = new DataTransfer();
    for (const { name, mimeType, bytes } of dropped) {
      const contents = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      transfer.items.add(new File([contents], name, { type: mimeType }));
    }
    return transfer;
  }, carried);
  await area.dispatchEvent('dragenter', { dataTransfer });
  await area.dispatchEvent('dragover', { dataTransfer });
  await area.dispatchEvent('drop', { dataTransfer });
}

/** From the import button to the offer, or to the refusal of the file. */
export async function previewFile(page: Page, file: CsvFile): Promise<void> {
  await importButton(page).click();
  await browseFor(page, file);
  await importDialog(page).getByRole('button', { name: 'Verify' }).click();
  await offer(page).waitFor();
}

export async function startList(page: Page, file: CsvFile): Promise<void> {
  await previewFile(page, file);
  await offer(page).getByRole('button', { name: 'Confirm' }).click();
  await offer(page).waitFor({ state: 'hidden' });
}

export async function openList(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Results' }).waitFor();
}
