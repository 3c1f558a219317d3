import type { Guess, GuessDetail, GuessList, GuessPreview } from '@assay/contract';
import { expect } from 'vitest';
import type { TestApi } from '../../../testing/api.ts';
import { auditLedger } from '../../billing/index.ts';
import { setFeatureFlag } from '../../users/index.ts';
import { auditGuesses } from '../index.ts';

export interface GuessingCustomer {
  readonly token: string;
  readonly userId: string;
}

/** A new customer with the flag. */
export async function newGuessingCustomer(api: TestApi): Promise<GuessingCustomer> {
  const token = await api.tokenFor();
  const { id: userId } = (await api.call('GET', '/users/me', { token })).json();
  await setFeatureFlag(api.database.db, userId, { flag: 'guessing_enabled', isOn: true });
  return { token, userId };
}

export const balanceOf = async (api: TestApi, { token }: GuessingCustomer): Promise<number> =>
  (await api.call('GET', '/billing/me', { token })).json().balance;

export const startGuess = (
  api: TestApi,
  { token }: GuessingCustomer,
  body: object,
  headers: Record<string, string> = {},
) => api.call('POST', '/guessing/email_guess', { token, body, headers });

/** Guesses a person and waits for the outcome. */
export async function guess(api: TestApi, customer: GuessingCustomer, body: object): Promise<GuessDetail> {
  const { id } = (await startGuess(api, customer, body)).json<Guess>();
  const read = async () =>
    (await api.call('GET', `/guessing/email_guess/${id}`, { token: customer.token })).json<GuessDetail>();
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('COMPLETE');
  return read();
}

export function previewPeople(
  api: TestApi,
  { token }: GuessingCustomer,
  contents: string | Uint8Array<ArrayBuffer>,
  fileName = 'people.csv',
) {
  const form = new FormData();
  form.append('list_raw', new Blob([contents]), fileName);
  return api.call('POST', '/guessing/lists_bulk/validation', { token, body: form });
}

export const createFrom = (api: TestApi, { token }: GuessingCustomer, body: object, headers = {}) =>
  api.call('POST', '/guessing/lists_bulk', { token, body, headers });

/** Previews a file and makes a list of it. */
export async function startList(
  api: TestApi,
  customer: GuessingCustomer,
  contents: string,
): Promise<GuessList> {
  const { upload_id } = (await previewPeople(api, customer, contents)).json<GuessPreview>();
  return (await createFrom(api, customer, { upload_id })).json<GuessList>();
}

/** The list, once it is complete. */
export async function untilComplete(
  api: TestApi,
  { token }: GuessingCustomer,
  listId: string,
): Promise<GuessList> {
  const read = async () => (await api.call('GET', `/guessing/lists/${listId}`, { token })).json<GuessList>();
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('COMPLETE');
  return read();
}

/** The disagreements in the ledger and in the guesses. */
export async function audit(api: TestApi): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const disagreement of auditLedger(api.database.db)) found.push(disagreement);
  for await (const disagreement of auditGuesses(api.database.db)) found.push(disagreement);
  return found;
}
