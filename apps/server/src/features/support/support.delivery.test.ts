import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestMailbox, type TestMailbox } from '@assay/stand-ins/testing/mailbox';
import { TestClock } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { openWorkQueue, type WorkQueue } from '../../platform/queue/index.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../../testing/api.ts';
import { startReceiver } from '../webhooks/testing/receiver.ts';
import { supportHandlers } from './index.ts';

const salesMailbox = 'sales@assay.test';
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
const callRequest = { subject: 'Call Requested', description: 'Call +34 600 123 456' };
const customer = { email: 'ada@customer.test', given_name: 'Ada', family_name: 'Assayer' };

const answering = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
};

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a support case', () => {
  let api: TestApi;
  let queue: WorkQueue;
  let clock: TestClock;
  let opened: { close(): Promise<void> }[] = [];

  beforeEach(() => {
    opened = [];
  });
  afterEach(async () => {
    for (const part of opened.reverse()) await part.close();
  });
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part);
    return part;
  };

  /** The API, and a worker with a movable clock. */
  async function start(env: TestApiOptions['env']) {
    api = keep(await startTestApi({ env }));
    clock = new TestClock();
    queue = keep(
      await openWorkQueue({
        databaseUrl: api.database.url,
        applicationName: 'assay test worker',
        logger: createLogger({ level: 'silent', process: 'test' }),
        clock,
      }),
    );
    const { db } = api.database;
    await queue.work(supportHandlers({ db, clock: systemClock, support: api.config.support }));
  }
  const open = async (body: object = callRequest) => {
    const token = await api.tokenFor(customer);
    const answer = await api.call('POST', '/users/support_cases', { token, body });
    expect(answer.statusCode).toBe(201);
    return { token, id: answer.json().id as string };
  };
  const deliveries = () =>
    api.database.db
      .selectFrom('support_deliveries')
      .select(['case_id', 'channel', 'tries', 'problem', 'accepted_at'])
      .execute();
  const tickUntil = async (isSo: () => boolean | Promise<boolean>, maxSeconds = 600) => {
    for (let second = 0; second < maxSeconds; second += 1) {
      if (await isSo()) return;
      await clock.tick(1_000);
    }
    throw new Error(`The condition was not met within ${maxSeconds} seconds of the queue's time.`);
  };
  const hasTried = (times: number) => async () => (await deliveries()).every(({ tries }) => tries >= times);
  const isAccepted = async () => (await deliveries()).every(({ accepted_at }) => accepted_at !== null);

  it('is mailed with name, address and phone, and a reply goes to the customer', async () => {
    const mailbox = keep(await startTestMailbox());
    await start({ SMTP_RELAY_URL: mailbox.url, SUPPORT_MAIL_TO: salesMailbox });

    const { id } = await open();
    await tickUntil(isAccepted);

    const [mail] = mailbox.mails;
    expect(mail?.to).toEqual([salesMailbox]);
    expect(mail?.source).toMatch(/^From: Assay <no-reply@assay\.test>\r$/m);
    expect(mail?.source).toMatch(/^Reply-To: Ada Assayer <ada@customer\.test>\r$/m);
    expect(mail?.source).toMatch(/^Subject: Call Requested: Ada Assayer\r$/m);
    expect(mail?.source).toContain('Call +34 600 123 456');
    expect(mail?.source).toContain(`Message-ID: <${id}@assay.test>`);
    expect(mailbox.mails).toHaveLength(1);
  });

  it('has the phone number of the case, not the one in the profile', async () => {
    const receiver = keep(await startReceiver());
    await start({ SUPPORT_WEBHOOK_URL: receiver.url, SUPPORT_WEBHOOK_SECRET: secret });

    await open({ ...callRequest, phone: '+34 600 123 456' });
    await open({ ...callRequest, phone: '+44 20 7183 8750' });
    await tickUntil(isAccepted);

    const phones = receiver.events.map(({ body }) => JSON.parse(body).data.customer.phone);
    expect(phones.toSorted()).toEqual(['+34600123456', '+442071838750']);
  });

  it('is mailed once when a relay that was down is back', async () => {
    const port = await freePort();
    await start({ SMTP_RELAY_URL: `smtp://127.0.0.1:${port}`, SUPPORT_MAIL_TO: salesMailbox });

    const { id } = await open();
    await tickUntil(hasTried(4));
    expect(await deliveries()).toMatchObject([
      { case_id: id, problem: expect.stringMatching(/could not be reached/), accepted_at: null },
    ]);
    const mailbox: TestMailbox = keep(await startTestMailbox({ port }));
    await tickUntil(isAccepted);

    expect(mailbox.mails).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ problem: null }]);
  });

  it('is retried while the relay refuses the recipient, and no address is stored or logged', async () => {
    const mailbox = keep(await startTestMailbox());
    mailbox.refuse();
    await start({ SMTP_RELAY_URL: mailbox.url, SUPPORT_MAIL_TO: salesMailbox });

    await open();
    await tickUntil(hasTried(2));

    expect(await deliveries()).toMatchObject([{ problem: 'The relay refused the mail with 550.' }]);
    const { rows } = await api.database.pool.query('select output from queue.job');
    expect(JSON.stringify(rows)).not.toContain(salesMailbox);
  });

  it('is posted with a Standard Webhooks signature and the case’s id', async () => {
    const receiver = keep(await startReceiver());
    await start({ SUPPORT_WEBHOOK_URL: receiver.url, SUPPORT_WEBHOOK_SECRET: secret });

    const { id, token } = await open();
    await tickUntil(isAccepted);

    const [post] = receiver.events;
    const me = (await api.call('GET', '/users/me', { token })).json();
    expect(JSON.parse(post?.body ?? '')).toEqual({
      type: 'support_case.opened',
      timestamp: expect.any(String),
      data: {
        id,
        ...callRequest,
        creation_date: expect.any(String),
        customer: {
          id: me.id,
          first_name: 'Ada',
          last_name: 'Assayer',
          email_address: customer.email,
          phone: null,
        },
      },
    });
    const signed = `${id}.${post?.headers['webhook-timestamp']}.${post?.body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(post?.headers).toMatchObject({
      'webhook-id': id,
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    });
  });

  it.each([500, 404, 302])(
    'is posted again while the webhook answers %i, until it is taken',
    async (status) => {
      const receiver = keep(await startReceiver());
      receiver.answer(answering(status));
      await start({ SUPPORT_WEBHOOK_URL: receiver.url, SUPPORT_WEBHOOK_SECRET: secret });

      const { id } = await open();
      await tickUntil(hasTried(3));
      expect(await deliveries()).toMatchObject([{ problem: `The webhook answered ${status}.` }]);
      receiver.answer(answering(200));
      await tickUntil(isAccepted);

      const attemptsWhenTaken = receiver.attempts;
      await clock.tick(60_000);
      expect(receiver.attempts).toBe(attemptsWhenTaken);
      expect(receiver.events.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
    },
  );

  it('that was mailed is not mailed again while its webhook is down', async () => {
    const mailbox = keep(await startTestMailbox());
    const receiver = keep(await startReceiver());
    receiver.answer(answering(503));
    await start({
      SMTP_RELAY_URL: mailbox.url,
      SUPPORT_MAIL_TO: salesMailbox,
      SUPPORT_WEBHOOK_URL: receiver.url,
      SUPPORT_WEBHOOK_SECRET: secret,
    });

    await open();
    await tickUntil(() => receiver.attempts >= 3 && mailbox.mails.length === 1);
    receiver.answer(answering(200));
    await tickUntil(isAccepted);

    expect(mailbox.mails).toHaveLength(1);
  });

  it('of a deleted customer is not sent', async () => {
    const receiver = keep(await startReceiver());
    receiver.answer(answering(503));
    await start({ SUPPORT_WEBHOOK_URL: receiver.url, SUPPORT_WEBHOOK_SECRET: secret });
    const { token } = await open();
    await tickUntil(hasTried(1));

    const attempts = receiver.attempts;
    expect((await api.call('DELETE', '/users/me', { token })).statusCode).toBe(204);
    receiver.answer(answering(200));
    const isDone = async () =>
      (
        await api.database.pool.query(
          "select 1 from queue.job where name = 'support.send-case' and state <> 'completed'",
        )
      ).rowCount === 0;
    await tickUntil(isDone);

    expect(receiver.attempts).toBe(attempts);
    expect(await deliveries()).toEqual([]);
  });

  it('is only stored if no channel is configured', async () => {
    await start({});

    await open();

    expect(await deliveries()).toEqual([]);
  });
});
