import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { isLockHere } from '../../testing/database.ts';
import { handleJob, openWorkQueue } from './index.ts';
import { greet, useTestQueue } from './testing/test-queue.ts';

/** A busy machine needs longer than the usual second. */
const patience = { timeout: 50_000 };

describe('a process that stops', () => {
  const test = useTestQueue();

  it('asks running jobs to leave off when the process stops, and gives back what they did not finish', async () => {
    let isRunning = false;
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        isRunning = true;
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      }),
    ]);
    await test.enqueue('Ada');
    await test.tickUntil(() => isRunning);

    await test.queue.close();

    expect(await test.jobStates('greet')).toEqual(['retry']);
  });

  it('gives back a job that ended well after it was asked to leave off, because a part of it may be undone', async () => {
    let isRunning = false;
    const stopWork = await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        isRunning = true;
        await once(signal, 'abort');
      }),
    ]);
    await test.enqueue('Ada');
    await test.tickUntil(() => isRunning);

    await stopWork();

    expect(await test.jobStates('greet')).toEqual(['retry']);
  });

  it('gives back a job at its last try, which another worker can run at once', async () => {
    let runCount = 0;
    const running = handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
      runCount += 1;
      if (runCount <= greet.retryLimit) throw new Error('not yet');
      await once(signal, 'abort');
    });
    await test.queue.work([running]);
    await test.enqueue('Ada');
    await test.tickUntil(() => runCount > greet.retryLimit, 600);
    await test.queue.close();
    expect(await test.jobStates('greet')).toEqual(['retry']);

    test.queue = await openWorkQueue({ ...test.options(), clock: test.clock });
    const tries: number[] = [];
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { retryCount }) => void tries.push(retryCount)),
    ]);

    await vi.waitFor(() => expect(tries).toEqual([greet.retryLimit + 1]), patience);
    expect(await test.queue.countDeadLetters()).toBe(0);
  });

  it('gives back jobs that arrive while the process stops, and does not begin them', async () => {
    let runCount = 0;
    await test.enqueue('Ada');
    // The job is due by the clock of the test, which a busy machine leaves behind the database's.
    await test.clock.tick(120_000);
    const blocker = await test.database.pool.connect();
    await blocker.query('begin; lock table queue.job in share mode');
    const stopWork = await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async () => void runCount++),
    ]);
    await vi.waitFor(async () => {
      const { rowCount } = await blocker.query(`select from pg_locks where not granted and ${isLockHere}`);
      expect(rowCount).toBe(1);
    }, patience);

    const stopped = stopWork();
    await blocker.query('commit');
    blocker.release();
    await stopped;

    expect(await test.jobStates('greet')).toEqual(['retry']);
    expect(runCount).toBe(0);
  });
});

describe('a job that ends', () => {
  const test = useTestQueue();

  it('runs again if its connection breaks while its end is written down, and then leaves no record of a run', async () => {
    const mayEnd = Promise.withResolvers<void>();
    let runCount = 0;
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        runCount += 1;
        await mayEnd.promise;
      }),
    ]);
    await test.enqueue('Ada');
    await test.tickUntil(() => runCount === 1);
    const blocker = await test.database.pool.connect();
    await blocker.query('begin; select from job_runs for update');
    mayEnd.resolve();
    await vi.waitFor(async () => {
      const { rowCount } = await blocker.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    }, patience);
    await blocker.query('commit');
    blocker.release();

    await test.tickUntil(async () => (await test.readRuns()).length === 0);
    expect(await test.jobStates('greet')).toEqual(['completed']);
    expect(runCount).toBe(2);
  });

  it('does not end its next try, which the same worker has begun because heartbeats were missed', async () => {
    const ends: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    await test.queue.work([
      handleJob(greet, { concurrency: 2 }, (_, { signal }) => {
        signals.push(signal);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    ]);
    await test.enqueue('Ada');
    await test.tickUntil(() => signals.length === 1);
    // As after an outage of the database: another worker sees that no heartbeat came.
    await test.database.pool.query(`update queue.job set state = 'retry' where name = 'greet'`);
    await test.tickUntil(() => signals.length === 2);

    ends[0]?.();
    await test.clock.tick(40_000);

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(await test.readRuns()).toMatchObject([{ retry_count: 1 }]);
    ends[1]?.();
    await test.tickUntil(async () => (await test.jobStates('greet')).join() === 'completed');
    expect(await test.readRuns()).toEqual([]);
  });

  it('leaves no record of a run when it fails for good', async () => {
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        throw new Error('never');
      }),
    ]);
    await test.enqueue('Ada');

    await test.tickUntil(async () => (await test.jobStates('dead-letters')).length === 1);
    expect(await test.readRuns()).toEqual([]);
  });
});
