import { randomUUID } from 'node:crypto';
import type { Webhook, WebhookDelivery, WebhookEventType } from '@assay/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { webhooksHandlers } from '../webhooks.handlers.ts';
import { deliverInOrderJob } from '../webhooks.jobs.ts';
import { deliverInOrder } from './deliver-in-order.ts';
import { logLengthMax, maintainDeliveries } from './maintain-deliveries.ts';
import { queueEvent } from './queue-event.ts';
import { takeTurn } from './turn.store.ts';

// The test starts the jobs that the queue would start.
const clock = movableClock();
let api: TestApi;
let healthy: Receiver;
let failing: Receiver;
beforeAll(async () => {
  api = await startTestApi({ clock, env: { WEBHOOK_ALLOW_RANGES: '127.0.0.1/32' } });
});
afterAll(() => api.close());
beforeEach(async () => {
  healthy = await startReceiver();
  failing = await startReceiver();
  failing.answer((response) => response.writeHead(503).end());
});
afterEach(async () => {
  await healthy.close();
  await failing.close();
});

const parts = () => ({
  db: api.database.db,
  queue: api.queue,
  clock,
  secrets: createSecrets(api.config.secret),
  ...api.config.webhooks,
});
const noSignal = new AbortController().signal;

async function newCustomer() {
  const token = await api.tokenFor();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
  const { db, pool } = api.database;
  const low = async (balance: number) => ({ balance, threshold: 100 });
  return {
    token,
    ownerId,
    add: async (url: string, event_types: WebhookEventType[] | null = null): Promise<Webhook> => {
      // They are listed by age.
      clock.advance({ ms: 1 });
      const body = { url: `${url}/${randomUUID()}`, event_types };
      return (await api.call('POST', '/users/webhooks', { token, body })).json();
    },
    list: async (): Promise<Webhook[]> =>
      (await api.call('GET', '/users/webhooks', { token })).json().results,
    /** Queues a `balance.low` for each number, one transaction after the other. */
    tell: async (...balances: number[]) => {
      for (const balance of balances)
        await db.transaction().execute((tx) =>
          queueEvent(tx, api.queue, {
            ownerId,
            type: 'balance.low',
            readData: () => low(balance),
            now: clock.now(),
          }),
        );
    },
    run: ({ id }: Webhook, jobId: string = randomUUID()) =>
      deliverInOrder(parts(), { ownerId, id, jobId }, noSignal),
    log: async ({ id }: Webhook): Promise<WebhookDelivery[]> =>
      (await api.call('GET', `/users/webhooks/${id}/deliveries?page_size=100`, { token })).json().results,
    jobs: async (): Promise<{ ownerId: string; webhookId: string }[]> =>
      (
        await pool.query(`select data from queue.job where name = $1 and data ->> 'ownerId' = $2`, [
          deliverInOrderJob.name,
          ownerId,
        ])
      ).rows.map(({ data: { ownerId, webhookId } }) => ({ ownerId, webhookId })),
  };
}

const balancesOf = ({ events }: Receiver): number[] =>
  events.map(({ body }) => JSON.parse(body).data.balance);
const idsOf = ({ events }: Receiver) => events.map(({ headers }) => headers['webhook-id']);

describe('several webhooks of a customer', () => {
  it('have an order each: a failing one keeps its events and delays no other', async () => {
    const { add, tell, run, list, jobs, ownerId } = await newCustomer();
    const down = await add(failing.url);
    const up = await add(healthy.url);
    await tell(1, 2, 3);
    expect((await jobs()).map(({ webhookId }) => webhookId).sort()).toEqual([down.id, up.id].sort());

    await run(down);
    await run(up);
    await tell(4);
    await run(up);

    expect(balancesOf(healthy)).toEqual([1, 2, 3, 4]);
    expect(failing.attempts).toBe(1);
    expect(await list()).toMatchObject([
      { id: down.id, waiting_events: 4, last_error: 'Answered 503.', last_delivery_date: null },
      { id: up.id, waiting_events: 0, last_error: null, last_delivery_date: clock.now().toISOString() },
    ]);

    failing.answer((response) => response.writeHead(204).end());
    await api.database.pool.query('update webhooks set due_at = now() where owner_id = $1', [ownerId]);
    await run(down);

    expect(balancesOf(failing)).toEqual([1, 2, 3, 4]);
    // One event has one id, so that programs behind two webhooks can tell.
    expect(idsOf(failing)).toEqual(idsOf(healthy));
    expect(await list()).toMatchObject([{ waiting_events: 0, last_error: null }, {}]);
  });

  it('have a secret each', async () => {
    const { add, tell, run } = await newCustomer();
    const webhooks = [await add(healthy.url), await add(healthy.url)];
    await tell(1);

    for (const webhook of webhooks) await run(webhook);

    const [first, second] = healthy.events.map(({ headers }) => headers['webhook-signature']);
    expect(first).not.toBe(second);
  });

  it('have a lease each: a worker that died with one does not hold another', async () => {
    const { ownerId, add, tell, run } = await newCustomer();
    const [abandoned, other] = [await add(failing.url), await add(healthy.url)];
    await tell(1);
    const dead = randomUUID();
    expect(await takeTurn(api.database.db, { ownerId, id: abandoned.id, jobId: dead })).toBe(true);

    await run(abandoned);
    await run(other);
    expect([failing.attempts, balancesOf(healthy)]).toEqual([0, [1]]);

    await run(abandoned, dead);
    expect(failing.attempts).toBe(1);
  });

  it('get only the types that they chose; data is not read for a type that none wants', async () => {
    const { ownerId, add, tell, list } = await newCustomer();
    await add(healthy.url, ['list.completed', 'list.failed']);
    await add(healthy.url, ['balance.low']);
    await add(healthy.url);
    await tell(1);
    expect((await list()).map(({ waiting_events }) => waiting_events)).toEqual([0, 1, 1]);

    const [, chosen, all] = await list();
    for (const { id } of [chosen, all] as Webhook[])
      await api.database.pool.query('delete from webhooks where id = $1', [id]);
    const readData = vi.fn(async () => ({ balance: 1, threshold: 2 }));
    await api.database.db
      .transaction()
      .execute((tx) =>
        queueEvent(tx, api.queue, { ownerId, type: 'balance.low', readData, now: clock.now() }),
      );
    expect(readData).not.toHaveBeenCalled();
  });

  it('keep what already waits when other types are chosen', async () => {
    const { token, add, tell, run } = await newCustomer();
    const webhook = await add(healthy.url, ['balance.low']);
    await tell(1);

    const body = { event_types: ['list.completed'] };
    await api.call('PUT', `/users/webhooks/${webhook.id}`, { token, body });
    await tell(2);
    await run(webhook);

    expect(balancesOf(healthy)).toEqual([1]);
  });

  it('wait for their next try after a change of types or to the same URL, and not after a move', async () => {
    const { ownerId, token, add, tell, run } = await newCustomer();
    const webhook = await add(failing.url);
    await tell(1);
    await run(webhook);
    const isWaiting = async () => {
      const { rows } = await api.database.pool.query(
        'select due_at > now() as waits from webhooks where owner_id = $1',
        [ownerId],
      );
      return rows[0].waits;
    };
    const change = (body: object) => api.call('PUT', `/users/webhooks/${webhook.id}`, { token, body });

    await change({ event_types: ['list.completed'] });
    await change({ url: webhook.url });
    expect(await isWaiting()).toBe(true);

    await change({ url: healthy.url });
    expect(await isWaiting()).toBe(false);
  });

  it('number 64 simultaneous events without a gap and in one order, and block no other customer', async () => {
    const { ownerId, add, tell } = await newCustomer();
    const other = await newCustomer();
    const theirs = await other.add(healthy.url);
    const webhooks = await Promise.all(Array.from({ length: 10 }, () => add(healthy.url)));
    const balances = Array.from({ length: 64 }, (_, at) => at + 1);

    // As a transaction that has numbered its events and does not end.
    const slow = await api.database.pool.connect();
    await slow.query('begin');
    await slow.query('select from webhooks where owner_id = $1 for no key update', [ownerId]);
    const telling = Promise.all(balances.slice(0, 2).map((balance) => tell(balance)));
    await other.tell(1);
    expect(await other.log(theirs)).toHaveLength(1);
    await slow.query('commit');
    slow.release();
    await telling;
    await Promise.all(balances.slice(2).map((balance) => tell(balance)));

    const { rows } = await api.database.pool.query(
      `select webhook_id, array_agg(number order by number) as numbers,
         array_agg(event_id order by number) as events
       from webhook_deliveries where owner_id = $1 group by webhook_id`,
      [ownerId],
    );
    expect(rows.map(({ webhook_id }) => webhook_id).sort()).toEqual(webhooks.map(({ id }) => id).sort());
    for (const { numbers, events } of rows) {
      expect(numbers.map(Number)).toEqual(balances);
      expect(events).toEqual(rows[0].events);
    }
  });

  it('do not see each other’s deliveries, and neither do other customers', async () => {
    const mine = await newCustomer();
    const theirs = await newCustomer();
    const [one, two] = [await mine.add(healthy.url), await mine.add(healthy.url, ['list.failed'])];
    await theirs.add(healthy.url);
    await mine.tell(1);

    expect([await mine.log(one), await mine.log(two)]).toMatchObject([[{ status: 'PENDING' }], []]);
    expect((await theirs.list())[0]?.waiting_events).toBe(0);
    await theirs.run(one);
    expect(healthy.attempts).toBe(0);
  });

  it('have a log of a thousand entries each', async () => {
    const { add, tell, run, log } = await newCustomer();
    const [busy, quiet] = [await add(healthy.url), await add(healthy.url)];
    await tell(1);
    await run(busy);
    await run(quiet);
    await api.database.pool.query('update webhooks set last_number = last_number + $1 where id = $2', [
      logLengthMax,
      busy.id,
    ]);

    await maintainDeliveries(parts());

    expect([await log(busy), await log(quiet)]).toMatchObject([[], [{ status: 'DELIVERED' }]]);
  });
});

describe('queueing an event', () => {
  afterEach(() => vi.restoreAllMocks());

  async function countStatements(run: () => Promise<unknown>): Promise<number> {
    const { query } = pg.Client.prototype;
    let count = 0;
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...input: unknown[]
    ) {
      const [first] = input as [string | { text?: string }];
      const text = (typeof first === 'string' ? first : first?.text) ?? '';
      if (/webhook/.test(text)) count += 1;
      return (query as (...input: unknown[]) => unknown).apply(this, input) as never;
    });
    await run();
    spy.mockRestore();
    return count;
  }

  it('is one statement without a webhook that wants it, and two with one or ten that have a job', async () => {
    const { add, tell } = await newCustomer();
    expect(await countStatements(() => tell(1))).toBe(1);
    await add(healthy.url, ['list.failed']);
    expect(await countStatements(() => tell(1))).toBe(1);

    await add(healthy.url);
    await tell(1);
    expect(await countStatements(() => tell(2))).toBe(2);
    for (let more = 0; more < 8; more += 1) await add(healthy.url);
    await tell(3);
    expect(await countStatements(() => tell(4))).toBe(2);
  });
});

describe('a process of the release before', () => {
  it('writes events of the first webhook, and its jobs send them', async () => {
    const { ownerId, add, log } = await newCustomer();
    const first = await add(healthy.url);
    await api.database.pool.query(
      `insert into webhook_deliveries (owner_id, number, id, event_id, event_type, body, is_in_order, status, created_at)
       values ($1, 1, $2, 'msg_1', 'balance.low', '{"data":{"balance":1}}', true, 'PENDING', now())`,
      [ownerId, randomUUID()],
    );
    const handler = webhooksHandlers(parts()).find(({ job }) => job.name === deliverInOrderJob.name);

    await handler?.run({ ownerId }, { jobId: randomUUID(), retryCount: 0, signal: noSignal });

    expect(balancesOf(healthy)).toEqual([1]);
    expect(await log(first)).toMatchObject([{ status: 'DELIVERED' }]);
  });
});
