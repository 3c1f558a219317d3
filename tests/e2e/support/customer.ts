import { type Client, createClient } from '@assay/client';
import { API_BASE } from '@assay/contract';
import type { Page } from 'playwright-core';
import { inject, vi } from 'vitest';

/** The API in the name of whoever is signed in on the page: to make what a screen is to show, and to read what it did. */
export async function apiOf(page: Page): Promise<Client> {
  const token = await page.evaluate(
    (): string => JSON.parse(localStorage.getItem('assay.session') ?? '{}').user_access_token,
  );
  return createClient({ baseUrl: `${inject('product').url}${API_BASE}`, getToken: () => token });
}

/** Sends a CSV file as a list to be verified. */
export const startList = (api: Client, fileName: string, lines: readonly string[]) =>
  api.validations.createList({
    body: {
      list_raw: new File([`${lines.join('\n')}\n`], fileName, { type: 'text/csv' }),
      with_headers: true,
    },
  });

/** A list goes through workers; a screen that is to show it done is opened after this. */
export const untilComplete = (api: Client, listId: string) =>
  vi.waitFor(
    async () => {
      const list = await api.validations.getList({ params: { list_id: listId } });
      if (list.status !== 'COMPLETE') throw new Error(`${list.name} is at ${list.progress} percent`);
      return list;
    },
    { timeout: 60_000, interval: 200 },
  );
