import { verifyWebhook } from '@assay/client/webhooks';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { type Customer, newCustomer } from '../support/customer.ts';
import { chooseFrom } from '../support/menus.ts';
import { type EventReceiver, startEventReceiver } from '../support/receiver.ts';

let customer: Customer;
let page: Page;
let receiver: EventReceiver;
beforeEach(async () => {
  receiver = await startEventReceiver();
  onTestFinished(() => receiver.close());
  customer = await newCustomer();
});
const openAccount = () => customer.open('/account/developers', { permissions: clipboardPermissions });

const section = () => page.getByRole('region', { name: 'Webhooks' });
const button = (name: string) => section().getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const rowTexts = () => section().getByRole('row').allInnerTexts();
/** The rows of the log, newest first, without their head. */
const log = async () => (await rowTexts()).slice(1).map((text) => text.split(/\s*[\n\t]\s*/));
const secret = () => copiedBy(page, () => button('Copy').click());

/** While the page with the log is open. */
const verifySingle = (address: string) =>
  customer.api.validations.startSingle({ body: { email_address: address } });

describe('Account page: webhook section, without a webhook', () => {
  beforeEach(async () => {
    page = await openAccount();
  });

  it('begins without a webhook, refuses wrong and forbidden addresses with the reason, and adds one, whose secret stays hidden until it is revealed', async () => {
    await section().getByText('You have no webhook.').waitFor();
    await button('Add webhook').click();
    const form = dialog('Add webhook');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText('Address required').waitFor();
    await form.getByLabel('Address').fill('hooks');
    await form.getByText('Enter an address such as https://example.com/hooks').waitFor();
    await form.getByLabel('Address').fill('https://169.254.169.254/latest');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/users/webhooks', (route) => held.promise.then(() => route.continue()));
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await expect.poll(() => form.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    held.resolve();

    await form.getByText('events are never sent to private networks').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await form.getByLabel('Address').fill('http://example.com/hooks');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText('Give an address that begins with https://.').waitFor();

    await form.getByLabel('Address').fill(receiver.url);
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.waitFor({ state: 'hidden' });

    await section().getByText(receiver.url).waitFor();
    await section().getByText('Nothing was sent yet.').waitFor();
    const shownSecret = section().getByText(/whsec_[A-Za-z0-9+/]{32}/);
    await expect.poll(() => shownSecret.count()).toBe(0);
    await button('Reveal').click();
    await shownSecret.waitFor();
    expect(await secret()).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});

describe('Account page: webhook section, with a webhook', () => {
  let firstSecret: string;
  beforeEach(async () => {
    ({ secret: firstSecret } = await customer.api.webhooks.createWebhook({ body: { url: receiver.url } }));
    page = await openAccount();
    await section().getByText(receiver.url).waitFor();
  });

  it('sends a test, which arrives signed and is seen in the log without reloading, and tells the receiver of a finished single', async () => {
    await button('Send test').click();

    await expect.poll(log).toEqual([['Test', 'Delivered', 'Answered 204.', expect.any(String), '']]);
    const [test] = receiver.events;
    expect(verifyWebhook({ ...(test as NonNullable<typeof test>), secret: firstSecret })).toMatchObject({
      type: 'webhook.test',
    });
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await verifySingle('jane@exists.test');

    await expect
      .poll(log)
      .toEqual([
        ['Single finished', 'Delivered', 'Answered 204.', expect.any(String), ''],
        expect.arrayContaining(['Test']),
      ]);
    const event = JSON.parse(receiver.events.at(-1)?.body ?? '');
    expect(event).toMatchObject({
      type: 'email_validation.completed',
      data: { email_address: 'jane@exists.test', email_address_status: 'VALID' },
    });
  });

  it('keeps what a broken receiver did not take, and sends it again when asked', async () => {
    receiver.answerWith(500);
    await verifySingle('nobody@exists.test');
    await expect
      .poll(async () => (await log())[0])
      .toEqual([
        'Single finished',
        'Waiting',
        expect.stringMatching(/^Answered 500\./),
        expect.any(String),
        '',
      ]);

    receiver.answerWith(200);
    await chooseFrom(
      section()
        .getByRole('button', { name: /^Actions for Single finished/ })
        .first(),
      'Send again',
    );

    await expect
      .poll(async () => (await log())[0]?.slice(0, 3))
      .toEqual(['Single finished', 'Delivered', expect.stringMatching(/^Answered 200\. \d+ tries\.$/)]);
    expect(JSON.parse(receiver.events.at(-1)?.body ?? '').data.email_address).toBe('nobody@exists.test');
  });

  it('rotates the secret, and events carry both signatures from then on; changes the address, and asks before it deletes', async () => {
    await button('Rotate secret').click();
    await dialog('Rotate secret').getByRole('button', { name: 'Rotate secret' }).click();
    await section()
      .getByText(/^The previous secret signs too until/)
      .waitFor();
    const rotated = await secret();
    expect(rotated).not.toBe(firstSecret);

    const before = receiver.events.length;
    await button('Send test').click();

    await expect.poll(() => receiver.events.length).toBe(before + 1);
    const event = receiver.events.at(-1) as (typeof receiver.events)[number];
    for (const known of [firstSecret, rotated]) {
      expect(verifyWebhook({ ...event, secret: known }).type).toBe('webhook.test');
    }

    await button('Edit').click();
    const form = dialog('Edit webhook');
    await form.getByLabel('Address').fill(`${receiver.url}/two`);
    await form.getByRole('button', { name: 'Save' }).click();
    await section().getByText(`${receiver.url}/two`, { exact: true }).waitFor();

    await button('Delete').click();
    await dialog('Delete webhook').getByRole('button', { name: 'Cancel' }).click();
    await dialog('Delete webhook').waitFor({ state: 'hidden' });
    await button('Delete').click();
    await dialog('Delete webhook').getByRole('button', { name: 'Delete' }).click();

    await section().getByText('You have no webhook.').waitFor();
  });
});

describe('Account page: webhook section, with several webhooks', () => {
  const item = (url: string) => section().getByRole('listitem', { name: url, exact: true });
  const itemButton = (url: string, name: string) => item(url).getByRole('button', { name, exact: true });
  const add = (url: string, event_types?: ['list.completed']) =>
    customer.api.webhooks.createWebhook({ body: { url, ...(event_types && { event_types }) } });

  it('adds one with chosen events beside another, and shows which of the two fails and how many events wait', async () => {
    const broken = `${receiver.url}/broken`;
    const working = await startEventReceiver();
    onTestFinished(() => working.close());
    await add(broken);
    page = await openAccount();
    await item(broken).getByText('No delivery noted yet.').waitFor();

    await button('Add webhook').click();
    const form = dialog('Add webhook');
    await form.getByLabel('Address').fill(working.url);
    await form.getByLabel('All events').uncheck();
    for (const name of ['Single finished', 'List finished', 'List failed', 'Balance low'])
      await form.getByLabel(name).uncheck();
    await form.getByText('Choose at least one type of event').waitFor();
    await form.getByLabel('Single finished').check();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.waitFor({ state: 'hidden' });
    await item(working.url)
      .getByText(/^Single finished, since/)
      .waitFor();
    await section().getByText('2 of 10 webhooks.').waitFor();

    receiver.answerWith(503);
    await verifySingle('jane@exists.test');

    await item(broken)
      .getByText(/^Failing: Answered 503\. 1 event waits\./)
      .waitFor();
    await item(working.url)
      .getByText(/^Last delivery/)
      .waitFor();
    expect(working.events).toHaveLength(1);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  });

  it('edits the events of one, opens its log alone, and deletes it without the other', async () => {
    const [first, second] = [`${receiver.url}/one`, `${receiver.url}/two`];
    await add(first);
    await add(second, ['list.completed']);
    page = await openAccount();
    await item(second)
      .getByText(/^List finished, since/)
      .waitFor();
    await expect.poll(() => section().getByRole('table').count()).toBe(0);

    await itemButton(second, 'Edit').click();
    const form = dialog('Edit webhook');
    await form.getByLabel('Balance low').check();
    const saving = page.waitForRequest((request) => request.method() === 'PUT');
    await form.getByRole('button', { name: 'Save' }).click();
    expect((await saving).postDataJSON()).toEqual({ event_types: ['list.completed', 'balance.low'] });
    await item(second)
      .getByText(/^List finished, Balance low, since/)
      .waitFor();
    await form.waitFor({ state: 'hidden' });

    await itemButton(second, 'Edit').click();
    for (const name of ['List finished', 'Balance low']) await form.getByLabel(name).uncheck();
    await form.getByLabel('All events').check();
    await form.getByRole('button', { name: 'Save' }).click();
    await item(second)
      .getByText(/^All events, since/)
      .waitFor();
    await form.waitFor({ state: 'hidden' });

    await itemButton(second, 'Secret and deliveries').click();
    await item(second).getByText('Nothing was sent yet.').waitFor();
    await itemButton(second, 'Send test').click();
    await item(second).getByText('Answered 204.').waitFor();
    await expect.poll(() => item(first).getByText('Answered 204.').count()).toBe(0);
    // The test of one whose log is closed opens it.
    await itemButton(first, 'Send test').click();
    await page.getByText('Test sent. Its answer appears under Deliveries.').first().waitFor();
    await item(first).getByText('Answered 204.').waitFor();
    await expect.poll(() => item(second).getByRole('table').count()).toBe(0);

    await itemButton(second, 'Delete').click();
    await dialog('Delete webhook').getByRole('button', { name: 'Delete' }).click();
    await item(second).waitFor({ state: 'hidden' });
    await item(first).waitFor();
  });

  it('offers no eleventh', async () => {
    for (let count = 1; count <= 10; count += 1) await add(`${receiver.url}/${count}`);
    page = await openAccount();

    await section().getByText('You have 10 webhooks. Delete one to add another.').waitFor();

    await expect.poll(() => button('Add webhook').isDisabled()).toBe(true);
  });
});
