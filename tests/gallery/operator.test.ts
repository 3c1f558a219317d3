import { createHash, randomUUID } from 'node:crypto';
import { it } from 'vitest';
import { assay } from '../e2e/support/assay-command.ts';
import { startList } from '../e2e/support/customer.ts';
import { busyCustomer, leaveUnanswered, newOperator } from './customers.ts';
import { takePictures } from './pictures.ts';

const manyErrors = Array.from({ length: 50 }, (_, number) => ({
  id: 100 - number,
  date: '2026-11-18T03:00:00.000Z',
  source: 'GET /api/users/me',
  type: '42P01',
  message: `relation "users" does not exist ${'and a long message '.repeat(number % 4)}`,
  stack: '    at query (apps/server/src/platform/database/database.ts:120:11)\n'.repeat(12),
  trace_id: 'f'.repeat(32),
  job_id: number % 2 === 0 ? randomUUID() : null,
  customer_id: randomUUID(),
}));

const manyLetters = Array.from({ length: 12 }, () => ({
  id: randomUUID(),
  queue: 'validations.verify-long-list',
  words: 'Verification of the list “A list with a name”, piece 3 of 20',
  owner: { id: randomUUID(), first_name: 'Ada', last_name: 'Lovelace', email_address: 'ada@example.com' },
  tries: 1_001,
  problem: 'The connection to the database was lost while results were written, and again afterwards.',
  date: '2026-11-18T03:00:00.000Z',
}));

it('the operator console', async () => {
  const [operator, customer] = [await newOperator(), await busyCustomer()];
  await customer.api.users.createApiKey();
  await assay('coupons', 'create', `CONSOLE-${Date.now()}`, '--credits', '50', '--reason', 'A test');
  await customer.api.users.updateMe({ body: { phone: '+34 600 123 456' } });
  await customer.api.support.openCase({
    body: { subject: 'Call Requested', description: 'Please call +34 600 123 456.' },
  });

  await startList(customer.api, 'waiting.csv', ['email', 'jane@greylist-never.test']);
  const words = 'A large provider answers slowly. Lists take longer than usual; nothing is lost.';
  await assay('incidents', 'open', 'lists', 'degraded', '--words', words);

  const page = await operator.open('/operator');
  await page.getByRole('slider', { name: 'Checks per minute, by minute' }).waitFor();
  await takePictures(page, 'operator-overview');

  await page.getByRole('link', { name: 'Search', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: customer.person.email });
  await row.waitFor();
  await takePictures(page, 'operator-customers');
  await page.getByRole('searchbox').fill('nobody-has-this-address');
  await row.waitFor({ state: 'detached' });
  await takePictures(page, 'operator-customers-none');

  const { id } = await customer.api.users.getMe();
  await page.goto(`/operator/customers/${id}`);
  await page.getByText('spring').first().waitFor();
  await takePictures(page, 'operator-customer');
  for (const [button, name] of [
    ['Grant credits', 'operator-grant'],
    ['Change standing', 'operator-standing'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await takePictures(page, name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  for (const [link, words, name] of [
    ['Lists and jobs', 'No dead letters', 'operator-work'],
    ['Errors', 'All calls and queues', 'operator-errors'],
    ['Incidents', 'Everyone sees these', 'operator-incidents'],
    ['Coupons', 'CONSOLE-', 'operator-coupons'],
    ['Call requests', 'Call Requested', 'operator-calls'],
    ['Sign-ups', 'New customers without free credits', 'operator-sign-ups'],
    ['Abuse', 'Customers whose lists of the last month', 'operator-abuse'],
    ['Log', 'For the gallery', 'operator-log'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await page.getByText(words).first().waitFor();
    await takePictures(page, name);
  }
  const hash = createHash('sha256').update('jane@exists.test').digest('hex');
  await page.goto(`/operator/search?text=${hash}`);
  await page.getByRole('heading', { name: 'Checks' }).waitFor();
  await takePictures(page, 'operator-search-hash');
  await page.route('**/api/operator/errors*', (route) => route.fulfill({ json: { results: manyErrors } }));
  await page.goto('/operator/errors?source=GET%20%2Fapi%2Fusers%2Fme');
  await page.getByText('relation "users" does not exist').first().click();
  await takePictures(page, 'operator-errors-full');
  await page.route('**/api/operator/dead-letters', (route) =>
    route.fulfill({ json: { results: manyLetters } }),
  );
  await page.goto('/operator/work');
  await page.getByText('piece 3 of 20').first().waitFor();
  await takePictures(page, 'operator-work-full');
  await page.route('**/api/operator/lists/running*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await page.getByText('could not be loaded').first().waitFor();
  await takePictures(page, 'operator-work-failed');
  await page.goto('/status');
  await page.getByText(words).waitFor({ timeout: 60_000 });
  await takePictures(page, 'status-incident');

  await page.goto('/operator/coupons');
  await page.getByRole('button', { name: 'Create coupon' }).click();
  await page.getByRole('dialog').getByLabel('Code').waitFor();
  await takePictures(page, 'operator-new-coupon');

  await leaveUnanswered(page, 'operator/overview*');
  await page.goto('/operator');
  await page.getByRole('link', { name: 'Search', exact: true }).waitFor();
  await takePictures(page, 'operator-loading');
});

it('a suspended customer', async () => {
  const customer = await busyCustomer();
  await assay(
    ...['users', 'standing', '--email', customer.person.email],
    ...['suspended', '--reason', 'For the gallery'],
  );
  const page = await customer.open('/email-verification/single');
  await page.getByRole('row').filter({ hasText: 'info@exists.test' }).waitFor();
  await takePictures(page, 'suspended');
});
