import type { Page } from 'playwright-core';
import { assay } from '../e2e/support/assay-command.ts';
import { type Customer, newCustomer, startList, untilComplete } from '../e2e/support/customer.ts';

const singles = [
  'jane@exists.test',
  'john@exists.test',
  'nobody@exists.test',
  'jane@starttls.test',
  'anyone@catch-all.test',
  'max@exists.test',
  'jane@forwards.test',
  'info@exists.test',
  'zoe@no-such-domain.test',
  'user1@paced.test',
  'user2@paced.test',
  'jane@shared-closed.test',
];

export const people = [
  'name,email',
  'Jane,jane@exists.test',
  'John,john@exists.test',
  'Info,info@exists.test',
  'Max,max@exists.test',
  'Nobody,nobody@exists.test',
  'Any,anyone@catch-all.test',
  'Jane,jane@exists.test',
  'Broken,no address',
];

/** A customer with single checks of every verdict, on more than one page, and with lists. */
export async function busyCustomer(): Promise<Customer> {
  const customer = await newCustomer();
  for (const email_address of singles)
    await customer.api.validations.startSingle({ query: { wait: 30 }, body: { email_address } });
  for (const name of ['clients.csv', 'spring.csv'])
    await untilComplete(customer.api, (await startList(customer.api, name, people)).id);
  return customer;
}

export async function newOperator(): Promise<Customer> {
  const operator = await newCustomer();
  await assay('operators', 'add', '--email', operator.person.email, '--reason', 'For the gallery');
  return operator;
}

/** Calls of these paths get no answer until the test ends, so that the page stays as it is while it loads. */
export async function leaveUnanswered(page: Page, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await page.route(`**/api/${path}`, () => undefined);
}

/** Calls of these paths are refused. */
export async function refuse(page: Page, ...paths: readonly string[]): Promise<void> {
  const json = { errors: [{ code: 'bad_request', message: 'Refused for the gallery.' }] };
  for (const path of paths)
    await page.route(`**/api/${path}`, (route) => route.fulfill({ status: 400, json }));
}
