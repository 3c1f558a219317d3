import type { Page, Request } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { newCustomer, startList } from '../support/customer.ts';

let page: Page;
beforeEach(async () => {
  const { api, open } = await newCustomer();
  const addresses = Array.from({ length: 1_000 }, (_, number) => `user${number}@exists.test`);
  await startList(api, 'everything.csv', ['email', ...addresses]);
  page = await open('/email-verification/single');
  await page.getByRole('form').getByText('0 credits', { exact: true }).waitFor();
});

const dialog = () => page.getByRole('dialog', { name: 'Request a call' });
const phone = () => dialog().getByRole('textbox', { name: 'Phone' });
const submit = () => dialog().getByRole('button', { name: 'Submit' });
const message = (text: string) => page.getByText(text, { exact: true });
const isSupportCase = (request: Request) =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/users/support_cases';

describe('§2 Request a call, when credits are 0', () => {
  it('opens instead of verifying, with its text word for word; §5 Phone: Submit is disabled without a number, and a wrong number is refused while typing; §8 Support request failed, try again later: the dialog stays for another try; §7 sends the subject Call Requested and the number; the number is kept, and cannot be changed here', async () => {
    const started: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') started.push(request.url());
    });
    await page.getByPlaceholder('Verify a single email').fill('jane@exists.test');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();

    await dialog()
      .getByText(
        'An account executive will reach out to you by phone to discuss a plan tailored to your needs.',
        { exact: true },
      )
      .waitFor();
    expect(started).toEqual([]);
    await dialog().getByText('You have no credits left. You can also buy some now.').waitFor();
    await expectAccessibleInBothSchemes(page);

    await expect.poll(() => submit().isDisabled()).toBe(true);
    await phone().fill('+');
    await dialog().getByText('Phone number required', { exact: true }).waitFor();
    await expect.poll(() => submit().isDisabled()).toBe(true);
    await phone().fill('+34 600');
    await dialog().getByText('A valid phone number is required', { exact: true }).waitFor();
    await phone().fill('+34 600 123 456');
    await dialog().getByText('A valid phone number is required').waitFor({ state: 'detached' });

    await page.route('**/api/users/support_cases', (route) =>
      route.fulfill({ status: 429, json: { errors: [{ code: 'too_many_requests', message: 'Slow down' }] } }),
    );
    await submit().click();

    await message('Support request failed, try again later').waitFor();
    await expect.poll(() => phone().inputValue()).toBe('+34 600 123 456');
    await page.unroute('**/api/users/support_cases');

    const sent = page.waitForRequest(isSupportCase);
    await submit().click();

    const body = (await sent).postDataJSON();
    expect(body.subject).toBe('Call Requested');
    expect(body.description).toContain('+34 600 123 456');
    await message('Support request succesful, you will called soon.').waitFor();
    await dialog().waitFor({ state: 'hidden' });

    await page.reload();
    await page.getByRole('form').getByText('0 credits', { exact: true }).waitFor();
    await page.getByPlaceholder('Verify a single email').press('Enter');

    await phone().waitFor();
    await expect.poll(() => phone().inputValue()).toBe('+34600123456');
    await expect.poll(() => phone().getAttribute('readonly')).not.toBeNull();
    await expect.poll(() => submit().isEnabled()).toBe(true);
    await dialog().getByRole('button', { name: 'Buy credits' }).click();
    await page.getByRole('region', { name: 'Credit packs' }).waitFor();
  });
});
