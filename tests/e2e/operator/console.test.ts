import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { newCustomer, startList, untilComplete } from '../support/customer.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

const newOperator = async () => {
  const operator = await newCustomer();
  await assay('operators', 'add', '--email', operator.person.email, '--reason', 'A browser test');
  return operator;
};

describe('the operator console', () => {
  it('does not exist for customers, and none of its code is in what they load', async () => {
    const customer = await newCustomer();
    const page = await customer.open('/billing');
    await page.getByRole('heading', { name: 'Credits history' }).waitFor();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(loaded.filter((name) => name.includes('operator'))).toEqual([]);

    await page.goto('/operator');
    await page.getByText('Content not Found').waitFor();
    await page.goto('/operator/customers');
    await page.getByText('Content not Found').waitFor();
  });

  it('shows the overview, finds a customer, grants credits and suspends and reopens the account, each with a reason', async () => {
    const [operator, customer] = [await newOperator(), await newCustomer()];
    const list = await startList(customer.api, 'spring.csv', [
      'email',
      'jane@exists.test',
      'nobody@exists.test',
    ]);
    await untilComplete(customer.api, list.id);
    const page = await operator.open('/operator');
    await page.getByRole('heading', { name: 'Egress addresses' }).waitFor();
    await page.getByText('None recorded').waitFor();
    // The worker writes what it counted every five seconds, and the page asks again.
    await page.getByRole('slider', { name: 'Checks per minute, by minute' }).waitFor();
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByRole('searchbox').fill(customer.person.email);
    // Other customers are in the table until the search has answered.
    await page.getByRole('row').filter({ hasText: customer.person.email }).getByRole('link').click();
    await page
      .getByRole('cell', { name: 'spring' })
      .or(page.getByRole('rowheader', { name: 'spring' }))
      .first()
      .waitFor();

    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Credits').fill('500');
    await expect.poll(() => dialog.getByRole('button', { name: 'Grant' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('For the trouble');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Grant' }).click();
    await page.getByText('Credits granted.').waitFor();
    await page.getByText('For the trouble').first().waitFor();
    expect((await customer.api.billing.getWallet()).balance).toBe(1_498);

    await page.getByRole('button', { name: 'Change standing' }).click();
    await dialog.getByLabel('Reason').fill('Looks harvested');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('Suspended').first().waitFor();
    await expect(
      customer.api.validations.startSingle({ body: { email_address: 'jane@exists.test' } }),
    ).rejects.toMatchObject({ http_status: 403, code: 'account_suspended' });
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Change standing' }).click();
    await dialog.getByLabel('Reason').fill('A mistake');
    await dialog.getByRole('button', { name: 'Change' }).click();
    // The dialog's own field contains the reason too.
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('A mistake').first().waitFor();
    await customer.api.validations.startSingle({ body: { email_address: 'jane@exists.test' } });
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  });

  it('works on a phone: coupons, lists and jobs, abuse, calls and the log', async () => {
    const page = await (await newOperator()).open('/operator/coupons', {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('button', { name: 'Create coupon' }).click();
    const dialog = page.getByRole('dialog');
    const code = `PHONE-${Date.now()}`;
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByLabel('Credits').fill('50');
    await dialog.getByLabel('Reason').fill('A campaign');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText(code).first().waitFor();

    for (const [link, words] of [
      ['Lists and jobs', 'No dead letters'],
      ['Sign-ups', 'New customers without free credits'],
      ['Abuse', 'Customers whose lists of the last month'],
      ['Call requests', 'Call requests'],
      ['Log', 'A campaign'],
      ['Overview', 'Queue age'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByText(words).first().waitFor();
      expect([link, await sidewaysOverflow(page)]).toEqual([link, 0]);
    }
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    const { api } = await newCustomer();
    const { id } = await api.users.updateMe({
      body: { first_name: 'W'.repeat(50), last_name: 'W'.repeat(50), phone: '+34600123456' },
    });
    await page.goto(`/operator/customers/${id}`);
    await page.getByRole('heading', { name: 'WWWWW' }).waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  });

  it('shows what a search finds, also from a later page', async () => {
    const page = await (await newOperator()).open('about:blank');
    const customers = Array.from({ length: 12 }, (_, number) => ({
      id: randomUUID(),
      first_name: 'Ada',
      last_name: `Number ${number}`,
      email_address: `ada${number}@exists.test`,
      creation_date: '2026-01-01T00:00:00.000Z',
      standing: 'open',
      is_operator: false,
      balance: 1_000,
    }));
    await page.route('**/api/operator/customers?*', (route) =>
      route.fulfill({ json: { results: customers.slice(3, 4) } }),
    );
    await page.route('**/api/operator/customers', (route) => route.fulfill({ json: { results: customers } }));
    await page.goto('/operator/customers');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('11–12 of 12').waitFor();
    await page.getByRole('searchbox').fill('Number 3');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('cell', { name: 'ada3@exists.test' }).waitFor();
  });

  it('ends a coupon on the chosen day in the time zone of the operator', async () => {
    const page = await (await newOperator()).open('about:blank');
    await (await page.context().newCDPSession(page)).send('Emulation.setTimezoneOverride', {
      timezoneId: 'America/New_York',
    });
    await page.goto('/operator/coupons');
    await page.getByRole('button', { name: 'Create coupon' }).click();
    const dialog = page.getByRole('dialog');
    const code = `WEST-${Date.now()}`;
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByLabel('Credits').fill('50');
    await dialog.getByLabel('First day on which it is no longer taken').fill('2999-12-01');
    await dialog.getByLabel('Reason').fill('A campaign');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row').filter({ hasText: code }).getByText('Dec 01, 2999').waitFor();
  });
});
