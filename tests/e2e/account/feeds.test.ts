import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { clipboardPermissions, copiedBy } from '../support/clipboard.ts';
import { type Customer, newCustomer } from '../support/customer.ts';

let customer: Customer;
let page: Page;
beforeEach(async () => {
  customer = await newCustomer();
});
const openFeeds = (viewport?: { width: number; height: number }) =>
  customer.open('/account/feeds', {
    permissions: clipboardPermissions,
    ...(viewport && { viewport }),
  });

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const feed = (name: string) => page.getByRole('listitem', { name });
const post = (id: string, headers: Record<string, string>, body: unknown) =>
  fetch(`${inject('product').url}/api/outcomes/feeds/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const bounce = () => ({
  RecordType: 'Bounce',
  Type: 'HardBounce',
  ID: 1,
  Email: 'nobody@exists.test',
  Details: '550 5.1.1 User unknown',
  BouncedAt: new Date().toISOString(),
});

describe('Feeds page', () => {
  it('adds a feed of Postmark, shows its secret once and what to paste where, then what came and what was refused', async () => {
    page = await openFeeds();
    await page.getByText('You have no feed.').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await button('Add feed').click();
    const form = dialog('Add feed');
    await form.getByLabel('Sender').selectOption('Postmark');
    await form.getByRole('button', { name: 'Add feed' }).click();
    await form.getByLabel('Secret').waitFor();
    const secret = await form.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^assay_feed_[0-9a-f]{48}$/);
    await form.getByText('Choose basic authentication with the user name assay').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await copiedBy(page, () => form.getByRole('button', { name: 'Copy' }).click())).toBe(secret);
    await form.getByRole('button', { name: 'Done' }).click();
    await form.waitFor({ state: 'hidden' });

    await feed('Postmark').getByText('No event came yet.').waitFor();
    await expect.poll(() => feed('Postmark').innerText()).not.toContain(secret);
    const [{ id = '' } = {}] = (await customer.api.feeds.listFeeds({})).results;
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`assay:${password}`).toString('base64')}`,
    });
    expect((await post(id, basic('wrong'), bounce())).status).toBe(401);
    expect((await post(id, basic(secret), bounce())).status).toBe(200);

    await feed('Postmark')
      .getByText(/Last event .* 1 in all\./)
      .waitFor();
    await feed('Postmark').getByText('The signature or the secret was missing or wrong.').waitFor();
    await feed('Postmark')
      .getByText(/^1 time, last/)
      .waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  });

  it('takes the key of Mailgun after the feed was added, refuses a wrong one of SendGrid with the reason, and deletes a feed', async () => {
    page = await openFeeds();
    for (const sender of ['Mailgun', 'SendGrid']) {
      await button('Add feed').click();
      await dialog('Add feed').getByLabel('Sender').selectOption(sender);
      await dialog('Add feed').getByRole('button', { name: 'Add feed' }).click();
      await dialog('Add feed').waitFor({ state: 'hidden' });
    }
    await feed('SendGrid').getByRole('button', { name: 'Add key' }).click();
    await dialog('Key of SendGrid').getByLabel('Verification key').fill('abc');
    await dialog('Key of SendGrid').getByRole('button', { name: 'Save' }).click();
    await dialog('Key of SendGrid').getByText('Enter the verification key of SendGrid').waitFor();
    await dialog('Key of SendGrid').getByRole('button', { name: 'Cancel' }).click();

    await feed('Mailgun').getByText('The key is missing: events are refused.').waitFor();
    await feed('Mailgun').getByRole('button', { name: 'Add key' }).click();
    await dialog('Key of Mailgun').getByLabel('HTTP webhook signing key').fill('a-signing-key');
    await dialog('Key of Mailgun').getByRole('button', { name: 'Save' }).click();
    await feed('Mailgun').getByText('HTTP webhook signing key …-key').waitFor();
    const feeds = (await customer.api.feeds.listFeeds({})).results;
    const mailgun = feeds.find(({ sender }) => sender === 'mailgun');
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const token = 'b'.repeat(50);
    const signature = createHmac('sha256', 'a-signing-key')
      .update(timestamp + token)
      .digest('hex');
    const event = {
      event: 'complained',
      recipient: 'jane@exists.test',
      timestamp: Number(timestamp),
      id: 'm',
    };
    const answer = await post(
      mailgun?.id ?? '',
      {},
      { signature: { timestamp, token, signature }, 'event-data': event },
    );
    expect(answer.status).toBe(200);
    await feed('Mailgun')
      .getByText(/Last event .* 1 in all\./)
      .waitFor();

    await feed('SendGrid').getByRole('button', { name: 'Delete' }).click();
    await dialog('Delete feed').getByRole('button', { name: 'Delete' }).click();
    await feed('SendGrid').waitFor({ state: 'hidden' });
    await page.getByText('1 of 20 feeds.').waitFor();
  });

  it('shows the endpoint of Amazon SES with its secret, and the topic, on a phone', async () => {
    page = await openFeeds({ width: 390, height: 844 });
    await button('Add feed').click();
    const form = dialog('Add feed');
    await form.getByLabel('Sender').selectOption('Amazon SES');
    await form.getByRole('button', { name: 'Add feed' }).click();
    await form.getByText('Enter the ARN of a topic').waitFor();
    await form.getByLabel('ARN of the SNS topic').fill('arn:aws:sns:eu-west-1:123456789012:bounces');
    await form.getByRole('button', { name: 'Add feed' }).click();
    const endpoint = await form.getByLabel('Endpoint with the secret').inputValue();
    expect(endpoint).toMatch(
      /^https?:\/\/assay:assay_feed_[0-9a-f]{48}@.*\/api\/outcomes\/feeds\/[0-9a-f-]{36}$/,
    );
    await form.getByRole('button', { name: 'Done' }).click();

    await feed('Amazon SES').getByText('The subscription of the topic is not confirmed yet.').waitFor();
    await feed('Amazon SES').getByText('arn:aws:sns:eu-west-1:123456789012:bounces').waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  });
});
