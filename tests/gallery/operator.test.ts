import { it } from 'vitest';
import { assay } from '../e2e/support/assay-command.ts';
import { busyCustomer, leaveUnanswered, newOperator } from './customers.ts';
import { takePictures } from './pictures.ts';

it('the operator console', async () => {
  const [operator, customer] = [await newOperator(), await busyCustomer()];
  await customer.api.users.createApiKey();
  await assay('coupons', 'create', `CONSOLE-${Date.now()}`, '--credits', '50', '--reason', 'A test');
  await customer.api.users.updateMe({ body: { phone: '+34 600 123 456' } });
  await customer.api.support.openCase({
    body: { subject: 'Call Requested', description: 'Please call +34 600 123 456.' },
  });

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
  await page.getByRole('link', { name: 'Coupons', exact: true }).click();
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
