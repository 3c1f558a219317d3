// The calls of customers: people with the web app open, and programs that check addresses as they come.
import type { Customer } from '../../support/customer.ts';
import { createRandom } from '../../support/random.ts';
import { type BenchProduct, untilWritten } from '../bulk/product.ts';
import type { Call } from './traffic.ts';

const customerCount = 40;
const rowsPerList = 100;

interface Part {
  readonly name: string;
  /** How often it occurs among a hundred calls. */
  readonly percent: number;
  readonly method: 'GET' | 'POST';
  path(parts: { listId: string }): string;
  body?(number: number): object;
}

const day = 86_400_000;
const page = 'page_size=10&page_number=1';
const parts: readonly Part[] = [
  { name: 'GET users/me', percent: 10, method: 'GET', path: () => '/users/me' },
  { name: 'GET billing/me', percent: 14, method: 'GET', path: () => '/billing/me' },
  { name: 'GET transactions', percent: 3, method: 'GET', path: () => `/billing/me/transactions?${page}` },
  { name: 'GET lists', percent: 12, method: 'GET', path: () => `/validations/lists?${page}` },
  { name: 'GET a list', percent: 14, method: 'GET', path: ({ listId }) => `/validations/lists/${listId}` },
  {
    name: 'GET a list’s emails',
    percent: 8,
    method: 'GET',
    path: ({ listId }) => `/validations/lists/${listId}/emails?${page}`,
  },
  { name: 'GET singles', percent: 10, method: 'GET', path: () => `/validations/email_validation?${page}` },
  {
    name: 'GET metrics of a week',
    percent: 8,
    method: 'GET',
    path: () => {
      const [from, to] = [Date.now() - 7 * day, Date.now()].map((at) => new Date(at).toISOString());
      return `/validations/lists/metrics?from_date=${from}&to_date=${to}&group_by=DAY`;
    },
  },
  {
    name: 'POST a single check',
    percent: 20,
    method: 'POST',
    path: () => '/validations/email_validation',
    body: (number) => ({ email_address: addressOf(number) }),
  },
  {
    name: 'POST a list of 20',
    percent: 1,
    method: 'POST',
    path: () => '/validations/lists',
    body: (number) => ({ emails: Array.from({ length: 20 }, (_, index) => addressOf(number * 20 + index)) }),
  },
];

const addressOf = (number: number): string => `staff.${number.toString(36)}@company-${number % 160}.test`;

/**
 * Starts the worker, signs customers up and verifies a list for each. Returns a source of their calls, the same in
 * every run.
 */
export async function prepareMix(product: BenchProduct): Promise<() => Call> {
  await product.startWorker();
  const { host } = new URL(product.apiUrl);
  const callers: { customer: Customer; listId: string }[] = [];
  for (let index = 0; index < customerCount; index++) {
    const customer = await product.signUp(0);
    const emails = Array.from({ length: rowsPerList }, (_, row) => addressOf(row));
    const list = await customer.client.validations.createListFromEmails({ body: { emails } });
    await untilWritten(product, list);
    callers.push({ customer, listId: list.id });
  }
  const random = createRandom(16);
  const shares = parts.flatMap((part) => Array.from({ length: part.percent }, () => part));
  let number = 0;
  return () => {
    const { name, method, path, body } = random.oneOf(shares as [Part, ...Part[]]);
    const caller = random.oneOf(callers as [(typeof callers)[0], ...typeof callers]);
    number += 1;
    const text = body ? JSON.stringify(body(number)) : '';
    const lines = [
      `${method} /api${path(caller)} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${caller.customer.token}`,
      ...(body ? ['Content-Type: application/json', `Content-Length: ${text.length}`] : []),
    ];
    return { name, bytes: `${lines.join('\r\n')}\r\n\r\n${text}` };
  };
}
