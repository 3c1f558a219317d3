import { type Client, createClient } from '@assay/client';
import { API_BASE } from '@assay/contract';
import type { Page } from 'playwright-core';
import { inject, vi } from 'vitest';
import { signUpByProtocol } from './sign-up.ts';
import { openPage, type TabOptions } from './tabs.ts';
import { newPerson, type Person } from './visitor.ts';

export interface Customer {
  readonly person: Person;
  /** The API as this customer: arranges what a screen shows and reads what it did. */
  readonly api: Client;
  /** The access token that `api` sends. */
  readonly token: string;
  /** Opens a browser of the customer's own at this path, signed in. */
  open(path: string, options?: TabOptions): Promise<Page>;
}

/** A new customer with the free plan and 1,000 credits. */
export async function newCustomer(): Promise<Customer> {
  const { url } = inject('product');
  const person = newPerson();
  const { token, storageState } = await signUpByProtocol(url, person);
  const api = createClient({ baseUrl: `${url}${API_BASE}`, getToken: () => token });
  // The product learns of a person with their first call.
  await api.users.getMe();
  return {
    person,
    api,
    token,
    async open(path, options) {
      const page = await openPage({ ...options, storageState });
      await page.goto(path);
      return page;
    },
  };
}

/** A new customer who looks at the page of this path. */
export async function openCustomer(
  path: string,
  options?: TabOptions,
): Promise<Customer & { readonly page: Page }> {
  const customer = await newCustomer();
  return { ...customer, page: await customer.open(path, options) };
}

/** The access token of the person who is signed in on the page. */
export const tokenOf = (page: Page): Promise<string> =>
  page.evaluate((): string => JSON.parse(localStorage.getItem('assay.session') ?? '{}').user_access_token);

/** Starts a list from the lines of a CSV file. */
export const startList = (api: Client, fileName: string, lines: readonly string[]) =>
  api.validations.createList({
    body: {
      list_raw: new File([`${lines.join('\n')}\n`], fileName, { type: 'text/csv' }),
      with_headers: true,
    },
  });

export const untilComplete = (api: Client, listId: string) =>
  vi.waitFor(
    async () => {
      const list = await api.validations.getList({ params: { list_id: listId } });
      if (list.status !== 'COMPLETE') throw new Error(`${list.name} is at ${list.progress} percent`);
      return list;
    },
    { timeout: 120_000, interval: 200 },
  );
