import type { User } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { recordActivity } from '../activity/index.ts';
import { failedPaymentMail, farewellMail } from './account-mails.ts';
import { watchActivities } from './activity-mails.ts';
import { startMailPost } from './testing/mail-post.ts';

const post = await startMailPost();
const { api, mailsTo } = post;
afterAll(() => post.close());

/** Watches and mails, as the worker does; several at a time. */
const watch = (times = 1) =>
  post.sendMails((working) =>
    Promise.all(Array.from({ length: times }, () => watchActivities(working, post.signal))),
  );
const subjectsTo = (email: string) => mailsTo(email).map((source) => /^Subject: (.*)\r$/m.exec(source)?.[1]);

async function signUp(email: string, claims: { email_verified?: boolean } = {}) {
  const token = await api.tokenFor({ email, ...claims });
  const { id } = (await api.call('GET', '/users/me', { token })).json<User>();
  await watch();
  return { token, userId: id };
}
const source = (address: string) => ({ address, agent: 'Browser of a test' });
const record = (
  userId: string,
  kind: Parameters<typeof recordActivity>[2]['kind'],
  { address = '192.0.2.7', ...more }: { address?: string; about?: string; session?: string; now?: Date } = {},
) =>
  recordActivity(
    api.database.db,
    { accountId: userId, source: source(address) },
    { now: new Date(), kind, ...more },
  );

describe('mails about the security of an account', () => {
  it('a new key and a new webhook are mailed once, with what, when and from where, as text and HTML, and cannot be turned off', async () => {
    const email = 'keys@account.test';
    const { token } = await signUp(email);
    expect(subjectsTo(email), 'the first sign-in').toEqual([]);
    await api.call('POST', '/users/api-keys', { token });
    await watch(6);
    const body = { url: 'https://receiver.example/hooks' };
    await api.call('POST', '/users/webhooks', { token, body });
    await watch();
    await watch();

    expect(subjectsTo(email)).toEqual(['A new API key was created', 'A webhook was added']);
    const [, webhook = ''] = mailsTo(email);
    expect(webhook).toContain('What: receiver.example');
    expect(webhook).toContain('From: 127.0.0.1');
    expect(webhook).toContain('text/html');
    expect(webhook).toContain('https://assay.test/account');
    expect(webhook).toContain('Such mails cannot be turned off.');
    expect(webhook).not.toContain('List-Unsubscribe');
  });

  it('a webhook that a key added is mailed with the name of the key, which is to be revoked', async () => {
    const email = 'by-key@account.test';
    const { token } = await signUp(email);
    const key = { name: 'Web shop', scopes: ['manage_webhooks'], mode: 'live' };
    const { api_token } = (await api.call('POST', '/users/api-keys/more', { token, body: key })).json();
    await watch();
    const body = { url: 'https://receiver.example/hooks' };
    await api.call('POST', '/users/webhooks', { headers: { 'x-api-key': api_token }, body });
    await watch();

    // Long lines are folded.
    const [byPerson = '', byKey = ''] = mailsTo(email).map((source) => source.replaceAll('=\r\n', ''));
    expect(byPerson).toContain('change your password now');
    expect(byPerson).not.toContain('revoke');
    expect(byKey).toContain('By: the API key Web shop; if this was not you, revoke it');
    expect(byKey).not.toContain('change your password');
  });

  it.each([
    ['password.changed', 'Your Assay password was changed'],
    ['password.reset', 'Your Assay password was reset'],
    ['two_step.removed', 'Two-step verification was turned off by our support'],
    ['api_key.rolled', 'An API key got a new secret'],
    ['webhook.changed', 'A webhook was changed'],
  ] as const)('%s alone is mailed as “%s”', async (kind, subject) => {
    const email = `${kind}@account.test`;
    const { userId } = await signUp(email);
    await record(userId, kind);
    await watch();

    expect(subjectsTo(email)).toEqual([subject]);
    expect(mailsTo(email)[0]).toContain('From: 192.0.2.7');
  });

  it('several at once are one mail', async () => {
    const email = 'several@account.test';
    const { userId } = await signUp(email);
    for (const kind of ['password.changed', 'api_key.rolled', 'webhook.changed'] as const) {
      await record(userId, kind);
    }
    await watch();

    expect(subjectsTo(email)).toEqual(['3 changes in your Assay account']);
    expect(mailsTo(email)[0]).toContain('API key rolled');
  });

  it('a sign-in is mailed if none came from its network before', async () => {
    const email = 'places@account.test';
    const { userId } = await signUp(email);
    const signInFrom = async (address: string, session: string) => {
      await record(userId, 'session.started', { address, session });
      await watch();
    };
    await signInFrom('127.0.44.2', 'same network');
    expect(subjectsTo(email)).toEqual([]);
    await signInFrom('203.0.113.9', 'elsewhere');
    await signInFrom('203.0.113.77', 'there again');
    await signInFrom('2001:db8:1::1', 'over IPv6');

    expect(subjectsTo(email)).toEqual([
      'New sign-in to your Assay account',
      'New sign-in to your Assay account',
    ]);
    expect(mailsTo(email)[0]).toContain('From: 203.0.113.9');
  });

  it('none to an address that is not verified, and none about what is a day old', async () => {
    const { userId } = await signUp('typed@account.test', { email_verified: false });
    await record(userId, 'password.changed');
    const late = await signUp('late@account.test');
    await record(late.userId, 'password.changed', { now: new Date(Date.now() - 25 * 3_600_000) });
    await watch();

    expect([...subjectsTo('typed@account.test'), ...subjectsTo('late@account.test')]).toEqual([]);
  });
});

describe('mails about the plan', () => {
  it('a changed plan is mailed, until the customer follows the link that stops such mails', async () => {
    const email = 'plan@account.test';
    const { token, userId } = await signUp(email);
    await record(userId, 'plan.changed', { about: 'FREE to 10K' });
    await watch();
    const [mail = ''] = mailsTo(email);
    expect(mail).toContain('Your plan changed from Free to 10K.');

    const link =
      /https:\/\/assay\.test\/api(\S*unsubscribe\S*)/.exec(mail.slice(mail.indexOf('\r\n\r\n')))?.[1] ?? '';
    expect((await api.call('GET', link)).body).toContain('a payment did not go through');
    await api.app.inject({
      method: 'POST',
      url: `/api${link}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect((await api.call('GET', '/users/me', { token })).json()).toMatchObject({ plan_mails: false });
    await record(userId, 'plan.changed', { about: '10K to FREE' });
    await watch();
    expect(mailsTo(email)).toHaveLength(1);
  });

  it('a failed payment is mailed while it is owed, and not once it is paid', async () => {
    const owing = await signUp('owing@account.test');
    const paid = await signUp('paid@account.test');
    await api.database.pool.query('update subscriptions set past_due_since = now() where owner_id = $1', [
      owing.userId,
    ]);
    for (const { userId } of [owing, paid]) await record(userId, 'plan.payment_failed', { about: '$125.00' });
    await watch();

    expect(subjectsTo('owing@account.test')).toEqual(['Your payment did not go through']);
    expect(subjectsTo('paid@account.test')).toEqual([]);
  });

  it('a failed payment says what is owed and until when', () => {
    const plan = { code: '50K', monthly_credits: 50_000, monthly_cost_in_cents: 12_500 };
    const owed = { invoice_id: 'in_1', amount_in_cents: 12_500, plan, until: '2026-12-02T10:00:00.000Z' };
    const mail = failedPaymentMail(
      { status: 'past_due', plan, owed, pending_change: null, next_renewal_date: owed.until },
      'https://assay.test',
      { to: 'a@b.test', from: 'no-reply@assay.test', id: '1', unsubscribeUrl: 'https://assay.test/stop' },
    );
    expect(mail.text).toContain('Amount: $125.00\nPlan: 50K\nTo be paid by: Dec 2, 2026');
    expect(mail.html).toContain('$125.00');
  });
});

it('a closed account gets a last mail', async () => {
  const email = 'leaving@account.test';
  const { token } = await signUp(email);
  expect((await api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);
  const { rows } = await api.database.pool.query<{ data: { address: string } }>(
    "select data from queue.job where name = 'notices.mail-farewell'",
  );
  expect(rows.map(({ data }) => data.address)).toEqual([email]);
  const envelope = { to: email, from: 'no-reply@assay.test', id: '1', unsubscribeUrl: null };
  expect(farewellMail('https://assay.test', envelope).text).toContain('was deleted');
});
