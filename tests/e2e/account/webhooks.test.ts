import { verifyWebhook } from '@assay/client/webhooks';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
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
const openAccount = () =>
  customer.open('/account/developers', { permissions: ['clipboard-read', 'clipboard-write'] });

const section = () => page.getByRole('region', { name: 'Webhook' });
const button = (name: string) => section().getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const rowTexts = () => section().getByRole('row').allInnerTexts();
/** The rows of the log, newest first, without their head. */
const log = async () => (await rowTexts()).slice(1).map((text) => text.split(/\s*[\n\t]\s*/));
const secret = async () => {
  await button('Copy').click();
  await page.getByText('Copied to clipboard!', { exact: true }).first().waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
};

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

    await button('Change address').click();
    const form = dialog('Change address');
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
