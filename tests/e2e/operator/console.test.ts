import { createHash, randomUUID } from 'node:crypto';
import type { OperatorRole } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { newCustomer, startList, untilComplete } from '../support/customer.ts';
import { chooseFrom, chooseFromMenu } from '../support/menus.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

const newOperator = async (role: OperatorRole = 'admin') => {
  const operator = await newCustomer();
  const { email } = operator.person;
  await assay('operators', 'add', '--email', email, '--role', role, '--reason', 'A browser test');
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
    for (const path of ['/operator/search', '/operator/incidents', `/operator/customers/${randomUUID()}`]) {
      await page.goto(path);
      await page.getByText('Content not Found').waitFor();
    }
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
    const processes = page.getByRole('region', { name: 'Processes that run' });
    for (const name of ['API', 'Worker']) {
      const row = processes.getByRole('row').filter({ hasText: name });
      await row.getByText('Runs').first().waitFor();
      await row
        .getByText(/^\d+\.\d+\.\d+/)
        .first()
        .waitFor();
    }
    // The worker writes what it counted every five seconds, and the page asks again.
    await page.getByRole('slider', { name: 'Checks per minute, by minute' }).waitFor();
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('link', { name: 'Search', exact: true }).click();
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

    await dialog.waitFor({ state: 'hidden' });
    await chooseFromMenu(page, 'For the trouble', 'Take back');
    await dialog.getByLabel('Reason').fill('To the wrong customer');
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('Granted credits taken back: To the wrong customer').first().waitFor();
    expect((await customer.api.billing.getWallet()).balance).toBe(998);
    const ofCustomer = await customer.open('/billing');
    await ofCustomer.getByText('Granted credits taken back: To the wrong customer').first().waitFor();

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
      ['Errors', 'All calls and queues'],
      ['Incidents', 'Everyone sees these on the status page'],
      ['Sign-ups', 'New customers without free credits'],
      ['Weather', 'How mail providers answered within the last hour'],
      ['Questions', 'Every recipient that a mail host was asked about'],
      ['Abuse', 'Customers whose checks of the last month'],
      ['Call requests', 'Call requests'],
      ['Log', 'A campaign'],
      ['Overview', 'Queue age'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByText(words).first().waitFor();
      await expect.poll(() => sidewaysOverflow(page), { message: link }).toBe(0);
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

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'shows the weather at mail providers and who asked what, %s, %i px wide',
    async (colorScheme, width) => {
      const [operator, customer] = [await newOperator(), await newCustomer()];
      const list = await startList(customer.api, 'weather.csv', [
        'email',
        'jane@exists.test',
        'nobody@exists.test',
      ]);
      await untilComplete(customer.api, list.id);
      const { id } = await customer.api.users.getMe();
      const page = await operator.open(`/operator/customers/${id}`, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      const questions = page.getByRole('region', { name: 'Questions to mail providers' });
      await questions.getByText('exists.test').first().waitFor();
      await questions.getByLabel('Period').selectOption({ label: 'Last 7 days' });
      await questions.getByText('exists.test').first().waitFor();

      await page.goto('/operator/questions');
      const byCustomer = page.getByRole('region', { name: 'By customer' });
      await byCustomer.getByRole('link').first().waitFor();
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
      await expectAccessibleInBothSchemes(page);

      await page.getByRole('link', { name: 'Weather', exact: true }).click();
      // The worker writes what it counted every five seconds, and the page asks again.
      await page.getByRole('region', { name: 'Last hour' }).getByText('Other hosts').first().waitFor();
      await page.getByRole('slider', { name: 'Answers, Other hosts, by hour' }).waitFor();
      await page.getByLabel('Period').selectOption({ label: 'Last 30 days' });
      await page.getByRole('slider', { name: 'Answers, Other hosts, by day' }).waitFor();
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
      await expectAccessibleInBothSchemes(page);
    },
  );

  it('shows what a search finds, also from a later page', async () => {
    const page = await (await newOperator()).open('about:blank');
    const customers = Array.from({ length: 12 }, (_, number) => ({
      id: randomUUID(),
      first_name: 'Ada',
      last_name: `Number ${number}`,
      email_address: `ada${number}@exists.test`,
      creation_date: '2026-01-01T00:00:00.000Z',
      standing: 'open',
      balance: 1_000,
    }));
    const nothing = { lists: [], jobs: [], errors: [], checks: [], searched_back_to: null };
    await page.route('**/api/operator/search?*', (route) =>
      route.fulfill({ json: { ...nothing, by: 'name', customers: customers.slice(3, 4) } }),
    );
    await page.route('**/api/operator/search', (route) =>
      route.fulfill({ json: { ...nothing, by: 'newest', customers } }),
    );
    await page.goto('/operator/search');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('11–12 of 12').waitFor();
    await page.getByRole('searchbox').fill('Number 3');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('cell', { name: 'ada3@exists.test' }).waitFor();
  });

  it('shows a support operator everything and lets them restart, and hides money and standing', async () => {
    const [operator, customer] = [await newOperator('support'), await newCustomer()];
    const { id } = await customer.api.users.getMe();
    const page = await operator.open(`/operator/customers/${id}`);
    await page.getByText('Your role is support').waitFor();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    for (const name of ['Grant credits', 'Change standing', 'Turn guessing_enabled on'])
      await expect.poll(() => page.getByRole('button', { name }).count(), { message: name }).toBe(0);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.goto('/operator/coupons');
    await page
      .getByRole('region', { name: 'coupons' })
      .or(page.getByText('No coupons yet'))
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Create coupon' }).count()).toBe(0);
  });

  it('finds a list by its id and a customer by the hash of an address that they checked, and pauses and resumes a running list', async () => {
    const [operator, customer] = [await newOperator('support'), await newCustomer()];
    const address = `jane-${randomUUID()}@greylist-never.test`;
    const list = await startList(customer.api, 'hashed.csv', ['email', address]);
    const hash = createHash('sha256').update(address).digest('hex');
    const page = await operator.open('/operator/search', { viewport: { width: 390, height: 844 } });
    await page.getByRole('searchbox').fill(hash);
    await page.getByRole('heading', { name: 'Checks' }).waitFor();
    await page.getByText(customer.person.email).first().waitFor();
    await expect.poll(() => page.getByText(address).count()).toBe(0);
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await page.getByRole('searchbox').fill(list.id);
    await page.getByRole('link', { name: 'hashed' }).click();
    await page.getByRole('heading', { name: 'Lists', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Lists and jobs' }).click();
    const running = page.getByRole('region', { name: 'lists that run' });
    await running.getByRole('row').filter({ hasText: 'hashed' }).getByText('Waits for').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();

    for (const [action, state] of [
      ['Pause', 'paused'],
      ['Resume', 'running'],
    ] as const) {
      await chooseFromMenu(page, 'hashed', action);
      await page.getByRole('dialog').getByLabel('Reason').fill('The customer asked');
      await page.getByRole('dialog').getByRole('button', { name: action }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect
        .poll(async () => {
          const { run_state } = await customer.api.validations.getList({ params: { list_id: list.id } });
          return run_state === 'waiting' ? 'running' : run_state;
        })
        .toBe(state);
    }
  });

  it('opens an error into its stack, and an incident that people read on the status page until it ends', async () => {
    const operator = await newOperator('support');
    const page = await operator.open('about:blank');
    const error = {
      ...{ id: 7, date: '2026-11-18T03:00:00.000Z', source: 'GET /api/users/me', type: '42P01' },
      ...{ message: 'relation "x" does not exist', stack: '    at query (store.ts:1:1)' },
      ...{ trace_id: '0'.repeat(32), job_id: null, customer_id: null },
    };
    await page.route('**/api/operator/errors?*', (route) => route.fulfill({ json: { results: [error] } }));
    await page.goto('/operator/errors?source=GET%20%2Fapi%2Fusers%2Fme');
    await page.getByText('relation "x" does not exist').click();
    await page.getByText('at query (store.ts:1:1)').waitFor();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: error.trace_id }).click();
    await page.getByText('Nothing found').waitFor();

    await page.getByRole('link', { name: 'Incidents' }).click();
    await page.getByRole('button', { name: 'Open incident' }).click();
    const dialog = page.getByRole('dialog');
    const words = `Lists are late ${Date.now()}.`;
    await dialog.getByLabel('Part').selectOption('lists');
    await dialog.getByLabel('What people read').fill(words);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(words).first().waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    // The API remembers the status for half a minute.
    const status = await operator.open('/status');
    await status.getByText(words).waitFor();
    await expectAccessibleInBothSchemes(status);

    await chooseFrom(page.getByRole('row').filter({ hasText: words }).getByRole('button'), 'End');
    await dialog.getByLabel('What people read').fill('They are on time again.');
    await dialog.getByRole('button', { name: 'End' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('They are on time again.').first().waitFor();
  });

  it('shows a dead letter with its job and customer in words, and sends it back', async () => {
    const [operator, customer] = [await newOperator('support'), await newCustomer()];
    const { id, first_name, last_name } = await customer.api.users.getMe();
    const letter = {
      ...{ id: randomUUID(), queue: 'validations.verify-long-list', tries: 6, problem: 'It broke.' },
      words: 'Verification of the list “Spring”, piece 3 of 20',
      owner: { id, first_name, last_name, email_address: customer.person.email },
      date: '2026-11-18T03:00:00.000Z',
    };
    const page = await operator.open('about:blank');
    const letters = [letter];
    const reasons: unknown[] = [];
    await page.route('**/api/operator/dead-letters', (route) =>
      route.fulfill({ json: { results: letters } }),
    );
    await page.route(`**/api/operator/dead-letters/${letter.id}/retry`, (route) => {
      reasons.push(route.request().postDataJSON());
      letters.pop();
      return route.fulfill({ status: 204 });
    });
    await page.goto('/operator/work');
    const row = page
      .getByRole('region', { name: 'jobs that failed for good' })
      .getByRole('row')
      .filter({ hasText: letter.words });
    await row.getByText('It broke.').waitFor();
    await row.getByText(`${first_name} ${last_name}`).waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await chooseFromMenu(page, letter.words, 'Retry');
    await page.getByRole('dialog').getByLabel('Reason').fill('The cause is mended');
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByText('No dead letters').waitFor();
    expect(reasons).toEqual([{ reason: 'The cause is mended' }]);
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
