import type { User, Wallet } from '@assay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { JobQueue } from '../../platform/queue/index.ts';
import { stopTopUp } from '../billing/top-up/top-up.store.ts';
import { watchBalances } from './balance-news.ts';
import { startMailPost } from './testing/mail-post.ts';

const post = await startMailPost();
const { api, mailsTo } = post;
afterAll(() => post.close());

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
const watch = (times = 1) =>
  post.sendMails((working) =>
    Promise.all(Array.from({ length: times }, () => watchBalances(working, post.signal))),
  );

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
    expect(mail).toContain('Subject: Your balance is below 1,000 credits');
    expect(mail).toContain('Balance: 999 credits');
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

  it('is not mailed to a customer who turned such mails off with the link of one; mails about lists stay on', async () => {
    const email = 'quiet@low.test';
    const { token, ownerId } = await withAlert({ email });
    await fall(ownerId);
    await watch();
    const source = mailsTo(email)[0] ?? '';
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const link =
      /https:\/\/assay\.test\/api(\S*unsubscribe\S*)\r\n/.exec(
        source.slice(source.indexOf('\r\n\r\n')),
      )?.[1] ?? '';
    expect((await api.call('GET', link)).body).toContain('when your balance is low');
    await api.call('POST', link);
    const wishes = { list_mails: true, balance_mails: false };
    expect((await api.call('GET', '/users/me', { token })).json()).toMatchObject(wishes);

    await api.call('PUT', '/billing/me/alerts', { token, body: { thresholds: [999] } });
    await fall(ownerId);
    await watch();
    expect(mailsTo(email)).toHaveLength(1);
    const on = await api.call('PATCH', '/users/me', { token, body: { balance_mails: true } });
    expect(on.json()).toMatchObject({ balance_mails: true });
  });

  it('is told to others when it cannot be told to one customer', async () => {
    const ids = [];
    for (const email of ['first@example.test', 'second@example.test']) {
      const { ownerId } = await withAlert({ email });
      await fall(ownerId);
      ids.push(ownerId);
    }
    const [first, second] = ids.sort();
    const told: string[] = [];
    const queue = {
      enqueue: async (_tx: unknown, _job: unknown, { ownerId }: { ownerId: string }) => {
        if (ownerId === first) throw new Error('no queue');
        told.push(ownerId);
      },
    } as unknown as JobQueue;

    await expect(watchBalances({ ...post.parts, queue }, post.signal)).rejects.toThrow('no queue');

    expect(told).toContain(second);
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

describe('a top-up that stops', () => {
  it('is shown in the wallet and mailed once, with the reason', async () => {
    const email = 'declined@low.test';
    const token = await api.tokenFor({ email });
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<User>();
    const stopped = async () =>
      (await api.call('GET', '/billing/me', { token })).json<Wallet>().top_up_stopped_because;
    await api.database.pool.query(
      "insert into automatic_top_ups (owner_id, is_on, below, pack_code, monthly_cap_cents) values ($1, true, 1, '2K', 700)",
      [ownerId],
    );
    await watch();
    expect([await stopped(), mailsTo(email)]).toEqual([null, []]);

    await api.database.db.transaction().execute((tx) => stopTopUp(tx, ownerId, 'declined'));
    await watch(8);
    await watch();

    const [mail, ...others] = mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toContain('Subject: Automatic top-up has stopped');
    expect(mail).toContain('your card was declined');
    expect(await stopped()).toBe('declined');
  });
});
