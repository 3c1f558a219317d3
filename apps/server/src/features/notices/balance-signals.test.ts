import type { User } from '@assay/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobsChannel } from '../../platform/queue/presence.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { topUpBalanceJob } from '../billing/billing.jobs.ts';
import { stopTopUp } from '../billing/top-up/top-up.store.ts';
import { watchActivityJob, watchBalanceJob } from './notices.jobs.ts';

let api: TestApi;
let listener: pg.Client;
const heard: { name: string; id: string; data: { ownerId: string } }[] = [];
beforeAll(async () => {
  api = await startTestApi();
  listener = new pg.Client(api.database.url);
  await listener.connect();
  listener.on('notification', ({ payload }) => {
    if (payload?.startsWith('{')) heard.push(JSON.parse(payload));
  });
  await listener.query(`listen ${jobsChannel}`);
});
afterAll(async () => {
  await listener.end();
  await api.close();
});

const query = (text: string, values: unknown[]) => api.database.pool.query(text, values);

/** A customer with 1,000 credits. */
async function signUp() {
  const token = await api.tokenFor();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<User>();
  return {
    token,
    ownerId,
    hold: (credits: number) =>
      query('update wallets set held = held + $2 where owner_id = $1', [ownerId, credits]),
    /** The jobs that were requested since the last time. */
    requested: async () => {
      // PostgreSQL delivers what was committed before this query.
      await listener.query('select 1');
      const own = heard.splice(0).filter(({ data }) => data.ownerId === ownerId);
      // Sign-ins and stops are in the activity log, which requests looks of its own.
      return own.map(({ name }) => name).filter((name) => name !== watchActivityJob.name);
    },
  };
}

describe('a changed balance', () => {
  it('requests a look when it crosses a threshold, down or up, and only then', async () => {
    const { token, hold, requested } = await signUp();
    await hold(1);
    expect(await requested()).toEqual([]);
    await api.call('PUT', '/billing/me/alerts', { token, body: { thresholds: [500, 100] } });
    await hold(499);
    expect(await requested()).toEqual([]);

    await hold(1);
    expect(await requested()).toEqual([watchBalanceJob.name]);
    await hold(100);
    expect(await requested()).toEqual([]);
    await hold(-101);
    expect(await requested()).toEqual([watchBalanceJob.name]);
    await hold(401);
    expect(await requested()).toEqual([watchBalanceJob.name]);
  });

  it('requests a top-up when it falls below the mark, and when the settings are saved while it is below', async () => {
    const { ownerId, hold, requested } = await signUp();
    await query(
      "insert into automatic_top_ups (owner_id, is_on, below, pack_code, monthly_cap_cents) values ($1, true, 500, '2K', 700)",
      [ownerId],
    );
    await hold(500);
    expect(await requested()).toEqual([]);
    await hold(1);
    expect(await requested()).toEqual([topUpBalanceJob.name]);
    await hold(1);
    await hold(-1);
    expect(await requested()).toEqual([]);

    await query('update automatic_top_ups set below = 600 where owner_id = $1', [ownerId]);
    expect(await requested()).toEqual([topUpBalanceJob.name]);
    await query('update automatic_top_ups set is_on = false where owner_id = $1', [ownerId]);
    await hold(-400);
    await hold(400);
    expect(await requested()).toEqual([]);
  });

  it('a top-up that stops requests a look; one transaction requests each job once', async () => {
    const { ownerId, requested } = await signUp();
    await query(
      "insert into automatic_top_ups (owner_id, is_on, below, pack_code, monthly_cap_cents) values ($1, true, 500, '2K', 700)",
      [ownerId],
    );
    await api.database.db.transaction().execute(async (tx) => {
      await stopTopUp(tx, ownerId, 'declined');
      await tx.updateTable('automatic_top_ups').set({ below: 5 }).where('owner_id', '=', ownerId).execute();
    });

    expect(await requested()).toEqual([watchBalanceJob.name]);
  });
});
