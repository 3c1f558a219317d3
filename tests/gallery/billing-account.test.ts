import type { AccountSecurity, Feed, Invoice, OutcomeMailbox, Wallet, Webhook } from '@assay/contract';
import { expect, inject, it } from 'vitest';
import { totpCode } from '../../packages/identity/src/second-step/totp.ts';
import { assay } from '../e2e/support/assay-command.ts';
import { newCustomer } from '../e2e/support/customer.ts';
import { chooseFromMenu } from '../e2e/support/menus.ts';
import { secretOf } from '../e2e/support/totp-secret.ts';
import { openPage, signIn } from '../e2e/support/visitor.ts';
import { busyCustomer, leaveUnanswered, refuse } from './customers.ts';
import { takeKeyPictures, takePictures } from './pictures.ts';

it('key screen: billing, plans, coupons', async () => {
  const { open } = await busyCustomer();
  const page = await open('/billing');
  const history = page.getByRole('region', { name: 'credits history' });
  await history.getByRole('row').filter({ hasText: 'spring' }).waitFor();
  await takeKeyPictures(page, 'billing');
  for (const [path, words] of [
    ['packs', 'Buy credits once'],
    ['spending', 'Saved card'],
    ['invoices', 'On your invoices'],
    ['top-up', 'No card is saved.'],
    ['alerts', 'Tell me when my balance falls below'],
  ] as const) {
    await page.goto(`/billing/${path}`);
    await page.getByText(words).first().waitFor();
    await takePictures(page, `billing-${path}`);
  }
  await page.goto('/billing');
  await history.getByRole('row').filter({ hasText: 'spring' }).waitFor();

  await page.getByRole('button', { name: 'Compare Plans' }).click();
  await page.getByRole('dialog', { name: 'Compare plans' }).getByRole('slider').waitFor();
  await takeKeyPictures(page, 'billing-plans');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Redeem credits' }).click();
  await page.getByLabel('Coupon code').fill('NO-SUCH-CODE');
  await page.getByRole('button', { name: 'Apply coupon' }).click();
  await page.getByText('Invalid coupon', { exact: true }).waitFor();
  await takePictures(page, 'billing-coupon-refused');
  const code = `GALLERY-${Date.now()}`;
  await assay('coupons', 'create', code, '--credits', '50', '--reason', 'A test');
  await page.getByLabel('Coupon code').fill(code);
  await page.getByRole('button', { name: 'Apply coupon' }).click();
  await page.getByRole('button', { name: 'Understood' }).waitFor();
  await takePictures(page, 'billing-coupon');

  await leaveUnanswered(page, 'billing/**');
  await page.goto('/billing');
  await page.getByRole('heading', { name: 'Credits history' }).waitFor();
  await takePictures(page, 'billing-loading');
});

const paid: Invoice = {
  ...{ id: 'paid', kind: 'plan', code: '50K', credits: 50_000, status: 'paid', has_pdf: true },
  ...{ total_in_cents: 12_500, paid_in_cents: 12_500, refunded_in_cents: 0 },
  ...{ date: '2026-11-02T08:00:00Z', paid_date: '2026-11-02T08:00:00Z' },
};
const invoices: Invoice[] = [
  {
    ...{ ...paid, id: 'open', code: '250K', credits: 250_000, status: 'open' },
    ...{ total_in_cents: 50_000, paid_in_cents: 0, paid_date: null },
  },
  paid,
  { ...paid, id: 'refunded', status: 'refunded', refunded_in_cents: 12_500 },
  { ...paid, id: 'refunded in part', status: 'refunded', refunded_in_cents: 2_500 },
  { ...paid, id: 'disputed', kind: 'pack', code: '10K', credits: 10_000, status: 'disputed' },
];
const owed: Wallet['subscription']['owed'] = {
  invoice_id: 'open',
  amount_in_cents: 50_000,
  plan: { code: '250K', monthly_credits: 250_000, monthly_cost_in_cents: 50_000 },
  until: '2026-12-02T08:00:00Z',
};

it('a payment that is owed, a top-up that stopped, and invoices of every status', async () => {
  const { api, open } = await busyCustomer();
  const page = await open('/version.json');
  const wallet = await api.billing.getWallet();
  const json: Wallet = {
    ...wallet,
    top_up_stopped_because: 'declined',
    subscription: { ...wallet.subscription, status: 'past_due', owed },
  };
  await page.route('**/api/billing/me', (route) => route.fulfill({ json }));
  await page.route('**/api/billing/me/invoices?*', (route) =>
    route.fulfill({ json: { results: invoices, total: invoices.length } }),
  );
  await page.goto('/billing');
  await page.getByRole('link', { name: 'spring', exact: true }).waitFor();
  await takePictures(page, 'billing-past-due');
  await page.goto('/billing/invoices');
  await page.getByText('Disputed').waitFor();
  await takePictures(page, 'billing-invoices-full');
});

const webhook = {
  secret: 'whsec_…QZwo',
  previous_secret_until: null,
  creation_date: '2026-11-01T08:00:00Z',
};
const webhooks: Webhook[] = [
  {
    ...webhook,
    id: '0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90',
    url: 'https://shop.example.com/hooks/assay/with-a-long-path-that-needs-more-than-one-line-on-a-phone',
    event_types: null,
    waiting_events: 0,
    last_error: null,
    last_delivery_date: '2026-11-18T09:30:00Z',
  },
  {
    ...webhook,
    id: '1b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90',
    url: 'https://crm.example.com/hooks',
    event_types: ['list.completed', 'balance.low'],
    waiting_events: 12,
    last_error: 'Answered 503.',
    last_delivery_date: '2026-11-17T09:30:00Z',
  },
];

const feed = (id: number, more: Pick<Feed, 'sender' | 'secret'> & Partial<Feed>): Feed => ({
  id: `${id}b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90`,
  url: `https://assay.example/api/outcomes/feeds/${id}b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90`,
  ...{ previous_secret_until: null, topic_arn: null, confirmation_date: null },
  ...{ taken_events: 0, last_event_date: null, refusals: [], creation_date: '2026-11-01T08:00:00Z' },
  ...more,
});
const feeds: Feed[] = [
  feed(0, {
    ...{ sender: 'postmark', secret: '…QZwo', previous_secret_until: '2026-11-19T09:30:00Z' },
    ...{ taken_events: 1_204_318, last_event_date: '2026-11-18T09:30:00Z' },
  }),
  feed(1, {
    ...{
      sender: 'ses',
      secret: '…7f3a',
      topic_arn: `arn:aws:sns:eu-west-1:123456789012:${'bounces-'.repeat(20)}`,
    },
    ...{ taken_events: 12, last_event_date: '2026-11-17T09:30:00Z' },
    refusals: [
      { reason: 'not_genuine', count: 20_431, last_date: '2026-11-18T09:30:00Z' },
      { reason: 'raw_delivery', count: 1, last_date: '2026-11-17T09:30:00Z' },
    ],
  }),
  feed(2, { sender: 'sendgrid', secret: null }),
];

const security: AccountSecurity = {
  second_factors: ['authenticator', 'passkey'],
  sessions: [
    {
      id: 'here',
      agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      address: '203.0.113.7',
      start_date: '2026-11-01T08:00:00Z',
      last_used_date: '2026-11-18T09:30:00Z',
      is_current: true,
    },
    {
      id: 'there',
      agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
      address: '2001:db8:1:2::/64',
      start_date: '2026-11-10T18:00:00Z',
      last_used_date: '2026-11-17T21:15:00Z',
      is_current: false,
    },
  ],
};

const suppressions = {
  total: 3,
  results: [
    { target: 'jane@exists.test', kind: 'address', reason: 'complaint', source: 'outcome', end_date: null },
    {
      target: 'gone.example',
      kind: 'domain',
      reason: 'dead_domain',
      source: 'outcome',
      end_date: '2027-02-16T09:00:00Z',
    },
    { target: 'max@exists.test', kind: 'address', reason: 'added', source: 'import', end_date: null },
  ].map((entry, at) => ({
    id: `0190c3f0-0000-7000-8000-00000000000${at}`,
    creation_date: '2026-11-18T09:00:00Z',
    ...entry,
  })),
};

const manySuppressions = {
  total: 1_234_567,
  results: Array.from({ length: 10 }, (_, at) => ({
    id: `1190c3f0-0000-7000-8000-00000000000${at}`,
    target: `${'a-very-long-local-part.'.repeat(at % 3)}jane@${'sub.'.repeat(at)}exists.test`,
    kind: 'address',
    reason: at % 2 ? 'hard_bounce' : 'unsubscribed',
    source: at % 3 ? 'outcome' : 'customer',
    creation_date: '2026-11-18T09:00:00Z',
    end_date: at % 4 ? null : '2027-02-16T09:00:00Z',
  })),
};
const outcomeCounts = {
  ...{
    hard: 2,
    soft: 1,
    block: 1,
    complaint: 1,
    unsubscribed: 1,
    auto_reply: 0,
    delivered: 1,
    not_sent: 1,
    unclear: 0,
  },
};
const outcomes = {
  total: 8,
  counts: outcomeCounts,
  results: (
    [
      ['hard', 'no such mailbox', 'sendgrid'],
      ['complaint', 'marked as junk', 'ses'],
      ['block', 'the host refuses the message', 'file'],
      ['delivered', 'the mail arrived', 'api'],
    ] as const
  ).map(([kind, text, source], at) => ({
    ...{ number: 8 - at, email: `person.${at}@exists.test`, kind, at: `2026-11-1${8 - at}T09:30:00Z` },
    ...{ reason: { code: 'a_reason', text }, words: '550 5.1.1 User unknown', action: 'none', source },
    recorded_date: '2026-11-18T09:31:00Z',
  })),
};
const manyOutcomes = {
  total: 9_876_543,
  counts: { ...outcomeCounts, delivered: 9_000_000, hard: 876_543 },
  results: Array.from({ length: 10 }, (_, at) => ({
    ...outcomes.results[at % 4],
    number: 9_876_543 - at,
    email: `${'a-very-long-local-part.'.repeat(at % 3)}jane@${'sub.'.repeat(at)}exists.test`,
  })),
};
const mailboxes: OutcomeMailbox[] = ([null, 'sign_in', 'slow', 'certificate', null] as const).map(
  (trouble, at) => ({
    id: `${at}c8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90`,
    host: at === 3 ? `imap.${'long-name-of-a-host.'.repeat(6)}example` : 'imap.example.com',
    user_name: at === 3 ? `${'a-long-name-'.repeat(7)}@example.com` : `bounces-${at}@example.com`,
    folder: 'INBOX',
    trouble,
    last_read_date: at === 4 ? null : '2026-11-10T09:30:00Z',
    read_mails: 123_456 * at,
    found_outcomes: 9_876 * at,
    creation_date: '2026-11-01T09:30:00Z',
  }),
);
const manyFeeds = Array.from({ length: 20 }, (_, at) => ({ ...feeds[at % 3], id: `${at + 10}b8f4c1e-5a72` }));

it('key screen: account, its dialogs, the activity', async () => {
  const { api, open } = await newCustomer();
  await api.users.createApiKey();
  const page = await open('/version.json');
  // Each run has addresses and times of its own.
  await page.route('**/api/users/me/security', (route) => route.fulfill({ json: security }));
  await page.goto('/account');
  await page.getByText('Danger zone').waitFor();
  await page.getByRole('list', { name: 'Sessions' }).waitFor();
  await takeKeyPictures(page, 'account');

  for (const [path, button, name] of [
    ['/account/developers', 'Create key', 'account-new-key'],
    ['/account/developers', 'Add webhook', 'account-new-webhook'],
    ['/account', 'Edit personal info', 'account-edit'],
    ['/account', 'Delete account', 'account-delete'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await takePictures(page, name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  await page.goto('/account/activity');
  await page.getByRole('table').waitFor();
  await takePictures(page, 'account-activity');
  await page.goto('/account/outcomes');
  await page.getByText('No outcomes yet').waitFor();
  await takePictures(page, 'outcomes-empty');
  await page.getByLabel('File of outcomes').setInputFiles({
    name: 'bounces.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'email,event,date,reason',
        ...Array.from({ length: 60 }, (_, row) =>
          row % 3 === 2
            ? `no address ${row},bounce,2026-11-10T09:30:00Z,`
            : `person.${row}@exists.test,bounce,2026-11-10T09:30:00Z,550 5.1.1 User unknown`,
        ),
      ].join('\n'),
    ),
  });
  await page.getByRole('button', { name: 'Add 40 outcomes' }).waitFor();
  await takePictures(page, 'outcomes-upload');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  // Each run has dates of its own.
  await page.route('**/api/outcomes?*', (route) => route.fulfill({ json: outcomes }));
  await page.reload();
  await page.getByRole('table').waitFor();
  await takePictures(page, 'outcomes');
  await page.route('**/api/outcomes?*', (route) => route.fulfill({ json: manyOutcomes }));
  await page.reload();
  await page.getByText('of 9,876,543').waitFor();
  await takePictures(page, 'outcomes-full');
  await page.goto('/account/suppressions');
  await page.getByText('Nothing is suppressed').waitFor();
  await takePictures(page, 'suppressions-empty');
  // Each run has dates of its own.
  await page.route('**/api/suppressions?*', (route) => route.fulfill({ json: suppressions }));
  await page.reload();
  await page.getByRole('table').waitFor();
  await takePictures(page, 'suppressions');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await takePictures(page, 'suppressions-new');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByLabel('CSV file of suppressions').setInputFiles({
    name: 'whom.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['email', ...Array.from({ length: 60 }, (_, row) => `no address ${row}`)].join('\n')),
  });
  await page.getByRole('dialog', { name: 'Import finished' }).waitFor();
  await takePictures(page, 'suppressions-imported');
  await page.getByRole('button', { name: 'Understood' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.route('**/api/suppressions?*', (route) => route.fulfill({ json: manySuppressions }));
  await page.reload();
  await page.getByText('of 1,234,567').waitFor();
  await takePictures(page, 'suppressions-full');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/api/users/me/security', (route) => route.fulfill({ json: security }));
  await page.goto('/account/feeds');
  await page.getByText('You have no feed.').waitFor();
  await takePictures(page, 'feeds-empty');
  await page.getByRole('button', { name: 'Add feed' }).click();
  await page.getByRole('dialog').waitFor();
  await takePictures(page, 'feeds-new');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Add mailbox', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Host').waitFor();
  await takePictures(page, 'feeds-new-mailbox');
  // Each run has times of its own.
  await page.route('**/api/outcomes/feeds', (route) => route.fulfill({ json: { results: feeds } }));
  await page.reload();
  await page.getByText('3 of 20 feeds.').waitFor();
  await takePictures(page, 'feeds');
  await page.route('**/api/outcomes/feeds', (route) => route.fulfill({ json: { results: manyFeeds } }));
  await page.reload();
  await page.getByText('You have 20 feeds.').waitFor();
  await takePictures(page, 'feeds-full');
  await page.route('**/api/outcomes/feeds', (route) => route.fulfill({ json: { results: [] } }));
  await page.route('**/api/outcomes/mailboxes', (route) => route.fulfill({ json: { results: mailboxes } }));
  await page.reload();
  await page.getByText('You have 5 mailboxes.').waitFor();
  await takePictures(page, 'feeds-mailboxes');

  // Each run has times of its own.
  await page.route('**/api/users/webhooks?*', (route) => route.fulfill({ json: { results: webhooks } }));
  await page.goto('/account/developers');
  await page.getByText('2 of 10 webhooks.').waitFor();
  await page.getByText('Webhooks', { exact: true }).scrollIntoViewIfNeeded();
  await takePictures(page, 'account-webhooks');
  await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
  await page.getByRole('dialog').waitFor();
  await takePictures(page, 'account-edit-webhook');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const newerPages = [
    ['/account/feeds', 'feeds'],
    ['/account/outcomes', 'outcomes'],
    ['/account/suppressions', 'suppressions'],
    ['/account/developers', 'keys'],
  ] as const;
  const calls = [
    'outcomes/feeds',
    'outcomes?*',
    'suppressions?*',
    'users/webhooks?*',
    'users/api-keys/more**',
  ];
  await refuse(page, ...calls);
  for (const [path, name] of newerPages) {
    await page.goto(path);
    await page.getByText('could not be loaded').first().waitFor();
    await takePictures(page, `${name}-failed`);
  }
  await leaveUnanswered(page, ...calls);
  for (const [path, name] of newerPages) {
    await page.goto(path);
    await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'attached' });
    await takePictures(page, `${name}-loading`);
  }
  await leaveUnanswered(page, 'users/**');
  // Otherwise the page shows the last answer while it waits.
  await page.evaluate(
    "for (const key of Object.keys(localStorage)) if (key.includes('remembered.')) localStorage.removeItem(key)",
  );
  await page.goto('/account');
  await page.getByText('Loading account').waitFor();
  await takePictures(page, 'account-loading');
});

it('two-step verification, a session that has ended, a secret that is shown once, and the calls of a key', async () => {
  const { api, open, person } = await newCustomer();
  const page = await open('/account');
  await page.getByRole('region', { name: 'Security' }).getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await takePictures(page, 'two-step');
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').waitFor();
  await takePictures(page, 'two-step-passkey');
  await page.goBack();
  await page.getByRole('link', { name: 'Set up an app' }).click();
  await page.locator('.qr svg').waitFor();
  await takePictures(page, 'two-step-app');
  const secret = secretOf((await page.locator('.key').innerText()).replaceAll(' ', ''));
  await page.getByLabel('Code').fill(totpCode(secret, Math.floor(Date.now() / 30_000)));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  await takePictures(page, 'two-step-codes');
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await page.getByText('You have 10 left').waitFor();
  await takePictures(page, 'two-step-on');
  const elsewhere = await openPage();
  await elsewhere.goto('/');
  await signIn(elsewhere, person);
  await elsewhere.getByRole('heading', { name: 'Second step' }).waitFor();
  await takePictures(elsewhere, 'sign-in-second-step');

  await page.goto('/account/developers');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Web shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const secretField = page.getByLabel('Your new key');
  const apiKey = await secretField.inputValue();
  await takePictures(page, 'account-key-created');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await fetch(`${inject('product').url}/api/billing/me`, { headers: { 'x-api-key': apiKey } });
  await chooseFromMenu(page, 'Web shop', 'Calls');
  await page.getByRole('dialog').getByText('GET /billing/me').waitFor();
  await takePictures(page, 'account-key-calls');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await api.users.endSession();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await takePictures(page, 'session-ended');
});

it('the menu on a phone, and the question before signing out', async () => {
  const { open } = await newCustomer();
  const page = await open('/billing', { viewport: { width: 1440, height: 900 } });
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await sidebar.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out' }).waitFor();
  await takePictures(page, 'sign-out');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Billing' }).waitFor();
  await takePictures(page, 'menu');
});
