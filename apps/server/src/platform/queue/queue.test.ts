import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineJob, handleJob, openQueue, openWorkQueue } from './index.ts';
import { greet, tidy, useTestQueue } from './testing/test-queue.ts';

const greetAtOnce = defineJob({ ...greet, name: 'greet-at-once', startsAtOnce: true });

describe('the job queue', () => {
  const test = useTestQueue();

  it('runs what a committed transaction enqueued', async () => {
    const names: string[] = [];
    await test.queue.work([handleJob(greet, { concurrency: 1 }, async ({ name }) => void names.push(name))]);

    await test.enqueue('Ada');

    await test.tickUntil(() => names.length > 0);
    expect(names).toEqual(['Ada']);
    await test.tickUntil(async () => (await test.jobStates('greet')).join() === 'completed');
  });

  it('writes down the end of a job also after one that failed', async () => {
    let runs = 0;
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        runs += 1;
        if (runs === 1) throw new Error('the first try fails');
      }),
    ]);

    await test.enqueue('Ada');

    await test.tickUntil(async () => (await test.jobStates('greet')).join() === 'completed');
    expect(runs).toBe(2);
  });

  it('leaves nothing of a job that keeps no record, not even when it failed before', async () => {
    const forgotten = defineJob({ ...greet, name: 'greet-and-forget', keepsNoRecord: true });
    const runs: number[] = [];
    await test.queue.work([
      handleJob(forgotten, { concurrency: 2 }, async ({ name }, { retryCount }) => {
        runs.push(retryCount);
        if (name === 'Ada' && retryCount === 0) throw new Error('the first try fails');
      }),
    ]);

    await test.enqueue('Ada', forgotten);
    await test.enqueue('Ben', forgotten);

    await test.tickUntil(
      async () => runs.length === 3 && (await test.jobStates(forgotten.name)).length === 0,
    );
    const { rows } = await test.database.pool.query('select from job_runs');
    expect(rows).toEqual([]);
    expect(runs.toSorted()).toEqual([0, 0, 1]);
  });

  it('does not remove a job that another worker has started again', async () => {
    const forgotten = defineJob({ ...greet, name: 'greet-and-forget', keepsNoRecord: true });
    const began = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    let runs = 0;
    await test.queue.work([
      handleJob(forgotten, { concurrency: 1 }, async () => {
        runs += 1;
        began.resolve();
        await mayEnd.promise;
      }),
    ]);
    await test.enqueue('Ada', forgotten);
    await test.tickUntil(() => runs === 1);
    await began.promise;
    await test.database.pool.query('update queue.job set retry_count = retry_count + 1 where name = $1', [
      forgotten.name,
    ]);

    mayEnd.resolve();

    await test.tickUntil(
      async () => (await test.database.pool.query('select from job_runs')).rows.length === 0,
    );
    expect(await test.jobStates(forgotten.name)).toEqual(['active']);
  });

  it('knows nothing of a transaction that failed', async () => {
    const failing = test.database.db.transaction().execute(async (tx) => {
      await test.queue.enqueue(tx, greet, { name: 'Ada' });
      throw new Error('the process dies here');
    });

    await expect(failing).rejects.toThrow('the process dies here');
    expect(await test.jobStates('greet')).toEqual([]);
  });

  it('takes jobs from a process that runs none', async () => {
    const sender = await openQueue(test.options());
    await test.database.db
      .transaction()
      .execute((tx) =>
        sender.enqueueMany(tx, greet, [{ payload: { name: 'Ada' } }, { payload: { name: 'Bo' } }]),
      );
    await sender.close();

    const names: string[] = [];
    await test.queue.work([handleJob(greet, { concurrency: 1 }, async ({ name }) => void names.push(name))]);
    await test.tickUntil(() => names.length === 2);
    expect(names).toEqual(['Ada', 'Bo']);
  });

  it('refuses a payload that does not fit, before it is written', async () => {
    const enqueueing = test.database.db
      .transaction()
      .execute((tx) => test.queue.enqueue(tx, greet, { nobody: 1 } as unknown as { name: string }));

    await expect(enqueueing).rejects.toThrow();
    expect(await test.jobStates('greet')).toEqual([]);
  });

  it('starts at once a job that says so, without waiting for the next poll', async () => {
    const names: string[] = [];
    await test.queue.work([
      handleJob(greetAtOnce, { concurrency: 1 }, async ({ name }) => void names.push(name)),
    ]);
    // With its clock standing still, the worker never polls by itself; a little earlier than the job, so that it is due.
    await test.clock.setTime(Date.now() + 60_000);

    await test.enqueue('Ada', greetAtOnce);

    await vi.waitFor(() => expect(names).toEqual(['Ada']), { timeout: 50_000 });
  });

  it('runs a job that the database requests once, however many workers hear of it', async () => {
    const follow = defineJob({
      name: 'follow',
      payload: z.strictObject({ ownerId: z.uuid() }),
      expireSeconds: 60,
      retryLimit: 0,
    });
    const owners: string[] = [];
    const other = await openWorkQueue({ ...test.options(), clock: test.clock });
    for (const one of [test.queue, other]) {
      await one.work([handleJob(follow, { concurrency: 1 }, async (job) => void owners.push(job.ownerId))]);
    }
    await test.clock.setTime(Date.now() + 60_000);
    const [ada, max] = [randomUUID(), randomUUID()];

    await test.database.pool.query("select pg_notify('assay_jobs', '{\"name\":')");
    for (const ownerId of [ada, max]) {
      await test.database.pool.query("select request_job('follow', $1), request_job('follow', $1)", [
        ownerId,
      ]);
      await vi.waitFor(() => expect(owners).toContain(ownerId), { timeout: 50_000 });
    }

    await other.close();
    expect(owners).toEqual([ada, max]);
    expect(await test.jobStates('follow')).toHaveLength(2);
  });

  it('goes through a backlog without waiting between one and the next', async () => {
    const names: string[] = [];
    await test.queue.work([
      handleJob(greetAtOnce, { concurrency: 1 }, async ({ name }) => void names.push(name)),
    ]);
    await test.clock.setTime(Date.now() + 60_000);

    const items = Array.from({ length: 20 }, (_, index) => ({ payload: { name: `${index}` } }));
    await test.database.db.transaction().execute((tx) => test.queue.enqueueMany(tx, greetAtOnce, items));

    await vi.waitFor(() => expect(names).toHaveLength(20), { timeout: 50_000 });
  });

  it('starts a delayed job when its time has come, and a more urgent one first', async () => {
    const names: string[] = [];
    await test.database.db
      .transaction()
      .execute((tx) =>
        test.queue.enqueueMany(tx, greet, [
          { payload: { name: 'later' }, afterMs: 30_000 },
          { payload: { name: 'usual' } },
          { payload: { name: 'urgent' }, priority: 10 },
        ]),
      );
    await test.queue.work([handleJob(greet, { concurrency: 1 }, async ({ name }) => void names.push(name))]);

    const seconds = await test.tickUntil(() => names.length === 3);

    expect(names).toEqual(['urgent', 'usual', 'later']);
    expect(seconds).toBeGreaterThanOrEqual(29);
  });

  it('runs as many at a time as the handler says', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let runningCount = 0;
    let mostCount = 0;
    let doneCount = 0;
    await test.queue.work([
      handleJob(greet, { concurrency: 2 }, async () => {
        runningCount += 1;
        mostCount = Math.max(mostCount, runningCount);
        await held;
        runningCount -= 1;
        doneCount += 1;
      }),
    ]);
    for (const name of ['Ada', 'Bo', 'Cy']) await test.enqueue(name);

    await test.tickUntil(() => runningCount === 2);
    await test.clock.tick(5_000);
    expect(runningCount).toBe(2);
    release();
    await test.tickUntil(() => doneCount === 3);
    expect(mostCount).toBe(2);
  });

  it('retries a failing job, then keeps it as a dead letter without email addresses', async () => {
    let runCount = 0;
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        runCount += 1;
        throw new Error('could not greet ada@example.com');
      }),
    ]);
    await test.enqueue('Ada');

    await test.tickUntil(async () => (await test.jobStates('dead-letters')).length === 1);
    await test.clock.tick(5_000);

    expect(runCount).toBe(3);
    expect(await test.queue.countDeadLetters()).toBe(1);
    expect(test.logged).toMatch(/"job":"greet".*"retry_count":2,"is_last":true/);
    const { rows } = await test.database.pool.query('select output, source_output from queue.job');
    expect(JSON.stringify(rows) + test.logged).not.toContain('ada@');
  });

  it('a scheduled job that fails, or whose worker cannot send heartbeats, is no dead letter', async () => {
    let runCount = 0;
    await test.queue.work([
      handleJob(tidy, { concurrency: 1 }, async () => {
        runCount += 1;
        throw new Error('could not tidy');
      }),
    ]);
    // Nobody sends its heartbeats.
    await test.database.pool.query(
      `insert into queue.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, retry_limit, dead_letter)
       select name, '{}', 'active', now(), now(), heartbeat_seconds, retry_limit, dead_letter
       from queue.queue where name = 'tidy'`,
    );
    await test.clock.setTime(Date.now());

    await test.tickUntil(async () => (await test.jobStates('tidy')).includes('failed'), 20);
    await test.tickUntil(() => runCount > 0, 400);
    await test.clock.tick(5_000);

    expect(test.logged).toContain('"job":"tidy"');
    expect(await test.jobStates('dead-letters')).toEqual([]);
  });

  it('keeps a job as long as its worker is alive', async () => {
    const signals: AbortSignal[] = [];
    let finish: () => void = () => undefined;
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        signals.push(signal);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      }),
    ]);
    await test.enqueue('Ada');
    await test.tickUntil(() => signals.length > 0);

    await test.clock.tick(40_000);

    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
    finish();
    await test.tickUntil(async () => (await test.jobStates('greet')).join() === 'completed');
  });

  it('runs a scheduled job on its minute, one at a time', async () => {
    let runCount = 0;
    const countRun = async () => {
      runCount += 1;
    };
    await test.queue.work([handleJob(tidy, { concurrency: 2 }, countRun)]);

    await test.tickUntil(() => runCount > 0, 420);

    expect(runCount).toBe(1);
  });
});
