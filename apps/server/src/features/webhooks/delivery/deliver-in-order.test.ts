import { randomUUID } from 'node:crypto';
import type { Webhook as RegisteredWebhook, WebhookDelivery } from '@assay/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { defaultWaitMs, deliverInOrder, giveUpAfterMs } from './deliver-in-order.ts';
import { logLengthMax, maintainDeliveries } from './maintain-deliveries.ts';
import { queueEvent } from './queue-event.ts';
import { takeTurn } from './turn.store.ts';

// The test moves the clock and starts the jobs that the queue would start.
const clock = movableClock();
let api: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  api = await startTestApi({ clock, env: { WEBHOOK_ALLOW_RANGES: '127.0.0.1/32' } });
});
afterAll(() => api.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const parts = () => ({
  db: api.database.db,
  queue: api.queue,
  clock,
  secrets: createSecrets(api.config.secret),
  ...api.config.webhooks,
});
const noSignal = new AbortController().signal;

/** Lets time pass for all webhooks: on our clock, and on the database's, which cannot be moved. */
async function pass(by: { hours?: number; minutes?: number; ms?: number }): Promise<void> {
  const before = clock.now().getTime();
  clock.advance(by);
  const passed = [clock.now().getTime() - before];
  await api.database.pool.query(
    `update webhooks set due_at = due_at - $1 * interval '1 ms', lane_held_until = lane_held_until - $1 * interval '1 ms'`,
    passed,
  );
}

async function newCustomer() {
  const sub = randomUUID();
  // The clock moves for days, so each call needs a new token.
  const freshToken = () => api.tokenFor({ sub, email: `${sub}@example.com` });
  const token = await freshToken();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
  const body = { url: receiver.url };
  const webhook = (await api.call('POST', '/users/webhooks', { token, body })).json<RegisteredWebhook>();
  const tell = async (...messages: string[]) => {
    for (const message of messages) {
      await api.database.db.transaction().execute((tx) =>
        queueEvent(tx, api.queue, {
          ownerId,
          type: 'webhook.test',
          readData: async () => ({ message }),
          now: clock.now(),
        }),
      );
    }
  };
  return {
    token,
    ownerId,
    webhook,
    tell,
    run: (jobId: string = randomUUID()) =>
      deliverInOrder(parts(), { ownerId, id: webhook.id, jobId }, noSignal),
    log: async (): Promise<WebhookDelivery[]> =>
      (
        await api.call('GET', `/users/webhooks/${webhook.id}/deliveries?page_size=100`, {
          token: await freshToken(),
        })
      ).json().results,
    /** How long each job waits before it starts. */
    jobs: async (): Promise<number[]> =>
      (
        await api.database.pool.query(
          `select extract(epoch from start_after - created_on)::float * 1000 as wait_ms from queue.job where name = 'webhooks.deliver-in-order' and data ->> 'ownerId' = $1
           order by created_on`,
          [ownerId],
        )
      ).rows.map(({ wait_ms }) => wait_ms),
  };
}

const received = () => receiver.events.map(({ body }) => JSON.parse(body).data.message);
const down = () => receiver.answer((response) => response.writeHead(503).end());
const up = () => receiver.answer((response) => response.writeHead(204).end());

describe('events of one customer', () => {
  it('arrive in order, and the standard’s library accepts their signature', async () => {
    const { tell, run, webhook, log } = await newCustomer();
    clock.set(new Date());
    await tell('one', 'two', 'three');

    await run();

    expect(received()).toEqual(['one', 'two', 'three']);
    for (const { body, headers } of receiver.events) {
      const event = new Webhook(webhook.secret).verify(body, headers as Record<string, string>);
      expect(event).toMatchObject({ type: 'webhook.test', timestamp: clock.now().toISOString() });
      const forged = body.replace('webhook.test', 'list.completed');
      expect(() => new Webhook(webhook.secret).verify(forged, headers as Record<string, string>)).toThrow();
    }
    expect(await log()).toMatchObject([1, 2, 3].map(() => ({ status: 'DELIVERED', attempts: 1 })));
  });

  it('enqueue one job for all events before it runs', async () => {
    const { tell, jobs } = await newCustomer();
    clock.advance({ seconds: 1 });
    await tell('one');
    clock.advance({ seconds: 1 });
    await tell('two', 'three');

    expect(await jobs()).toHaveLength(1);
  });

  it('are not enqueued if their transaction fails', async () => {
    const { ownerId, log, jobs } = await newCustomer();

    const failing = api.database.db.transaction().execute(async (tx) => {
      await queueEvent(tx, api.queue, {
        ownerId,
        type: 'webhook.test',
        readData: async () => ({ message: 'never' }),
        now: clock.now(),
      });
      throw new Error('undone');
    });

    await expect(failing).rejects.toThrow('undone');
    expect([await log(), await jobs()]).toEqual([[], []]);
  });

  it('wait for a receiver that is down, with growing waits, and nothing overtakes the first', async () => {
    const { tell, run, jobs, log } = await newCustomer();
    down();
    await tell('one', 'two');

    for (let attempts = 1; attempts <= 7; attempts += 1) {
      await run();
      expect(receiver.attempts).toBe(attempts);
      expect((await jobs()).at(-1)).toBe(defaultWaitMs(attempts));
      // Another job that runs too early does nothing, and neither does an event that arrives meanwhile.
      await tell(`while down ${attempts}`);
      await run();
      expect(receiver.attempts).toBe(attempts);
      await pass({ ms: defaultWaitMs(attempts) });
    }
    expect((await log()).at(-1)).toMatchObject({ status: 'PENDING', attempts: 7, response_status: 503 });
    up();
    await run();

    expect(received()).toEqual([
      'one',
      'two',
      ...[1, 2, 3, 4, 5, 6, 7].map((attempts) => `while down ${attempts}`),
    ]);
    expect((await log()).every(({ status }) => status === 'DELIVERED')).toBe(true);
  });

  it('do not wait longer when the clock of the worker is set back', async () => {
    const { ownerId, webhook, tell, run } = await newCustomer();
    const dead = randomUUID();
    down();
    await tell('one');
    await run();
    clock.jump({ hours: -2 });
    await pass({ ms: defaultWaitMs(1) });
    up();
    await run();
    expect(received()).toEqual(['one']);

    await tell('two');
    expect(await takeTurn(api.database.db, { ownerId, id: webhook.id, jobId: dead })).toBe(true);
    clock.jump({ hours: -2 });
    await pass({ ms: 61_000 });
    await run();
    expect(received()).toEqual(['one', 'two']);
    clock.jump({ hours: 4 });
  });

  it('wait for Retry-After, at most an hour', async () => {
    const { tell, run, jobs } = await newCustomer();
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '120' }).end());
    await tell('one');
    await run();
    expect((await jobs()).at(-1)).toBe(120_000);

    await pass({ minutes: 2 });
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '999999' }).end());
    await run();
    expect((await jobs()).at(-1)).toBe(3_600_000);
  });

  it('are given up after three days, all older ones together, and the next one is tried', async () => {
    const { tell, run, log } = await newCustomer();
    down();
    await tell('old', 'old too');
    await run();
    await pass({ ms: giveUpAfterMs + 1 });
    await tell('new');

    await run();

    expect((await log()).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['PENDING', 0],
      ['FAILED', 0],
      ['FAILED', 2],
    ]);
    await pass({ hours: 1 });
    up();
    await run();
    expect(received()).toEqual(['new']);
  });

  it('that the receiver refuses with 410 are skipped at once', async () => {
    const { tell, run, log } = await newCustomer();
    receiver.answer((response, { body }) => response.writeHead(body.includes('poison') ? 410 : 200).end());
    await tell('one', 'poison', 'three');

    await run();

    expect(received()).toEqual(['one', 'three']);
    expect((await log()).map(({ status }) => status)).toEqual(['DELIVERED', 'FAILED', 'DELIVERED']);
  });

  it('go to one job at a time; a retried job takes its own turn back, others wait for the lease', async () => {
    const { ownerId, webhook, tell, run } = await newCustomer();
    await tell('one');
    const dead = randomUUID();
    expect(await takeTurn(api.database.db, { ownerId, id: webhook.id, jobId: dead })).toBe(true);

    await run();
    expect(received()).toEqual([]);
    await run(dead);
    expect(received()).toEqual(['one']);

    await tell('two');
    expect(await takeTurn(api.database.db, { ownerId, id: webhook.id, jobId: dead })).toBe(true);
    await pass({ ms: 61_000 });
    await run();
    expect(received()).toEqual(['one', 'two']);
  });

  it('are also signed with the replaced secret for a day', async () => {
    clock.set(new Date());
    const { token, webhook, tell, run } = await newCustomer();
    const rotated = (await api.call('POST', `/users/webhooks/${webhook.id}/secret`, { token })).json();
    const verifiesWith = (secret: string) => {
      const { body, headers } = receiver.events.at(-1) as (typeof receiver.events)[number];
      const shifted = { ...headers, 'webhook-timestamp': String(headers['webhook-timestamp']) };
      const signed = new Webhook(secret).sign(
        String(headers['webhook-id']),
        new Date(Number(shifted['webhook-timestamp']) * 1_000),
        body,
      );
      return String(headers['webhook-signature']).split(' ').includes(signed);
    };
    await tell('both');
    await run();
    expect([verifiesWith(webhook.secret), verifiesWith(rotated.secret)]).toEqual([true, true]);

    clock.advance({ days: 1 });
    await tell('one');
    await run();
    expect([verifiesWith(webhook.secret), verifiesWith(rotated.secret)]).toEqual([false, true]);
  });

  it.each([503, 410])('go to the new URL when it changes before the old one answers %i', async (status) => {
    const { token, webhook, tell, run } = await newCustomer();
    const next = await startReceiver();
    receiver.answer(async (response) => {
      await api.call('PUT', `/users/webhooks/${webhook.id}`, { token, body: { url: next.url } });
      response.writeHead(status).end();
    });
    await tell('one');

    await run();

    expect(next.events).toHaveLength(1);
    await next.close();
  });
});

describe('sending by hand', () => {
  it('tries a waiting event at once, and later events follow in order', async () => {
    const { token, webhook, tell, run, log, jobs } = await newCustomer();
    down();
    await tell('one', 'two');
    await run();
    up();
    const [, first] = await log();
    const before = (await jobs()).length;

    const answer = await api.call('POST', `/users/webhooks/${webhook.id}/deliveries/${first?.id}/again`, {
      token,
    });
    expect(answer.statusCode).toBe(202);
    expect(await jobs()).toHaveLength(before + 1);
    await run();

    expect(received()).toEqual(['one', 'two']);
  });

  it('sends waiting events to a changed URL', async () => {
    const { token, webhook, tell, run } = await newCustomer();
    const next = await startReceiver();
    down();
    await tell('one');
    await run();
    await api.call('PUT', `/users/webhooks/${webhook.id}`, { token, body: { url: next.url } });

    await run();

    expect(next.events).toHaveLength(1);
    await next.close();
  });
});

describe('maintenance', () => {
  it('wakes webhooks whose job was lost, and no others', async () => {
    const lost = await newCustomer();
    const waiting = await newCustomer();
    down();
    await lost.tell('one');
    await waiting.tell('one');
    await waiting.run();
    await api.database.pool.query(`delete from queue.job where data ->> 'ownerId' = $1`, [lost.ownerId]);

    await maintainDeliveries(parts());
    expect(await lost.jobs()).toHaveLength(0);
    const before = (await waiting.jobs()).length;
    await api.database.pool.query(
      `update webhooks set due_at = now() + interval '1 hour' where owner_id = $1`,
      [waiting.ownerId],
    );
    await pass({ minutes: 3 });
    // The process's clock does not matter.
    clock.jump({ hours: -2 });
    await maintainDeliveries(parts());
    clock.jump({ hours: 2 });

    expect(await lost.jobs()).toHaveLength(1);
    expect(await waiting.jobs()).toHaveLength(before);
  });

  it('prunes logs to a month and a thousand entries, and never deletes waiting events', async () => {
    const { ownerId, tell, run, log } = await newCustomer();
    await tell('old');
    await run();
    clock.advance({ days: 31 });
    await tell('many');
    await run();
    down();
    await tell('waits');
    await run();

    await maintainDeliveries(parts());
    expect((await log()).map(({ status }) => status)).toEqual(['PENDING', 'DELIVERED']);

    await api.database.pool.query('update webhooks set last_number = last_number + $1 where owner_id = $2', [
      logLengthMax,
      ownerId,
    ]);
    await maintainDeliveries(parts());
    expect((await log()).map(({ status }) => status)).toEqual(['PENDING']);
  });
});
