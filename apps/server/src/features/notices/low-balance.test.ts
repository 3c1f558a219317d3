import type { User } from '@assay/contract';
import { startTestMailbox } from '@assay/stand-ins/testing/mailbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { watchBalances } from './low-balance.ts';
import { noticesHandlers } from './notices.handlers.ts';
import { mailLowBalanceJob } from './notices.jobs.ts';

let mailbox: Awaited<ReturnType<typeof startTestMailbox>>;
let api: TestApi;
beforeAll(async () => {
  mailbox = await startTestMailbox();
  api = await startTestApi({ env: { SMTP_RELAY_URL: mailbox.url } });
});
afterAll(async () => {
  await api.close();
  await mailbox.close();
});

const { signal } = new AbortController();
const parts = () => ({
  db: api.database.db,
  clock: systemClock,
  secrets: createSecrets(api.config.secret),
  publicUrl: api.config.publicUrl,
  mail: api.config.mail,
});

/** A customer whose balance of 1,000 is about to fall to 999. */
async function withAlert(claims: { email: string; email_verified?: boolean }) {
  const token = await api.tokenFor(claims);
  const { id } = (await api.call('GET', '/users/me', { token })).json<User>();
  await api.call('PUT', '/billing/me/alerts', { token, body: { thresholds: [1_000] } });
  return { token, ownerId: id };
}
const fall = (ownerId: string) =>
  api.database.pool.query('update wallets set held = held + 1 where owner_id = $1', [ownerId]);

/** Watches and mails, as the worker does; several at a time. */
async function watch(times = 1): Promise<void> {
  const payloads: object[] = [];
  const queue = {
    enqueue: async (_tx: unknown, job: unknown, payload: object) => {
      if (job === mailLowBalanceJob) payloads.push(payload);
    },
  } as unknown as JobQueue;
  await Promise.all(Array.from({ length: times }, () => watchBalances({ ...parts(), queue }, signal)));
  const handler = noticesHandlers({ ...parts(), queue }).find(
    ({ job }) => job.name === mailLowBalanceJob.name,
  );
  for (const payload of payloads) await handler?.run(payload, { jobId: 'job', retryCount: 0, signal });
}
const mailsTo = (email: string) => mailbox.mails.filter(({ to }) => to.includes(email));

describe('a low balance', () => {
  it('is mailed once, and is one event of the webhook, however many processes watch', async () => {
    const email = 'ada@low.test';
    const { token, ownerId } = await withAlert({ email });
    const hook = await api.call('POST', '/users/webhooks', {
      token,
      body: { url: 'https://receiver.example/hooks' },
    });
    await watch();
    expect(mailsTo(email)).toEqual([]);

    await fall(ownerId);
    await watch(8);
    await watch();

    const [mail, ...others] = mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.source).toContain('Subject: Your balance is below 1,000 credits');
    expect(mail?.source).toContain('you have 999 left');
    const deliveries = await api.call(
      'GET',
      `/users/webhooks/${hook.json().id}/deliveries?page_size=10&page_number=1`,
      { token },
    );
    expect(deliveries.json().results).toMatchObject([{ event_type: 'balance.low' }]);
    const { rows } = await api.database.pool.query(
      "select body from webhook_deliveries where event_type = 'balance.low'",
    );
    expect(JSON.parse(rows[0].body)).toMatchObject({ data: { balance: 999, threshold: 1_000 } });
  });

  it('is not mailed to an address that is not verified', async () => {
    const email = 'typed@low.test';
    const { token, ownerId } = await withAlert({ email, email_verified: false });
    await api.call('PUT', '/billing/me/alerts', { token, body: { thresholds: [] } });
    await api.database.pool.query('insert into balance_alerts (owner_id, threshold) values ($1, 5)', [
      ownerId,
    ]);
    await watch();

    expect(mailsTo(email)).toEqual([]);
  });
});
