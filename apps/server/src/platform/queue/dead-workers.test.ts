import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PgBoss } from 'pg-boss';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { isLockHere } from '../../testing/database.ts';
import { defineJob, handleJob, type JobRun, openWorkQueue } from './index.ts';
import { presenceLock } from './presence.ts';
import { greet, tidy, useTestQueue } from './testing/test-queue.ts';

describe('when a worker dies', () => {
  const test = useTestQueue();
  /** What a killed process leaves behind: a job that it took, perhaps a word that it runs it, and silence. */
  const leaveJobBehind = async ({
    workerNumber,
    name = 'Ada',
  }: {
    workerNumber?: number;
    name?: string;
  } = {}) => {
    await test.enqueue(name);
    const dead = new PgBoss({
      connectionString: test.database.url,
      schema: 'queue',
      supervise: false,
      schedule: false,
    });
    await dead.start();
    const [job] = await dead.fetch('greet');
    await dead.stop({ graceful: false });
    if (workerNumber) {
      await test.database.pool.query(
        "insert into job_runs (job_id, job_name, retry_count, worker_number) values ($1, 'greet', 0, $2)",
        [job?.id, workerNumber],
      );
    }
    // The dead worker took the job by real time; from here on only the test's counts.
    await test.clock.setTime(Date.now());
  };
  const workAndCountRuns = async () => {
    const runs: JobRun[] = [];
    await test.queue.work([handleJob(greet, { concurrency: 1 }, async (_, run) => void runs.push(run))]);
    return runs;
  };
  const untilSuspectsWait = () => test.tickUntil(() => test.queue.areSuspectsWaiting(['greet']));
  const untilLeft = (signal: AbortSignal) => (signal.aborted ? undefined : once(signal, 'abort'));
  /** Stands in for a process for suspects. It ends without a word when `work` says so, else when no suspect is left. */
  const runSuspectsApart = async (
    work: (name: string, run: JobRun & { readonly die: () => void }) => Promise<unknown>,
    { suspectsOf = test.queue.workerNumber } = {},
  ): Promise<void> => {
    const child = await openWorkQueue({
      ...test.options(),
      clock: test.clock,
      supervises: false,
      suspectsOf,
    });
    const death = Promise.withResolvers<void>();
    const die = () => death.resolve();
    const stopWork = await child.work([
      handleJob(
        greet,
        { concurrency: 50 },
        async ({ name }, run) => void (await work(name, { ...run, die })),
      ),
      handleJob(tidy, { concurrency: 1 }, async (_, run) => void (await work('tidy', { ...run, die }))),
    ]);
    await Promise.race([death.promise, child.runSuspects()]);
    await stopWork({ leavesJobs: true });
    await child.close();
  };

  it('no other worker runs its job, but a process for such jobs does, within four seconds', async () => {
    await leaveJobBehind({ workerNumber: 5 });
    const runs = await workAndCountRuns();

    await untilSuspectsWait();
    await test.clock.tick(20_000);
    expect(runs).toEqual([]);
    const tries: number[] = [];
    await runSuspectsApart(async (_, { retryCount }) => tries.push(retryCount));

    expect(tries).toEqual([1]);
    expect(await test.jobStates('greet')).toEqual(['completed']);
    expect(await test.readRuns()).toEqual([]);
  });

  it('its jobs run together again, because most are innocent', async () => {
    for (let count = 0; count < 5; count += 1) await leaveJobBehind({ workerNumber: 5 });
    await untilSuspectsWait();
    let startedCount = 0;
    const all = Promise.withResolvers<void>();

    await runSuspectsApart(async () => {
      startedCount += 1;
      if (startedCount === 5) all.resolve();
      await all.promise;
    });

    expect(await test.jobStates('greet')).toEqual(Array(5).fill('completed'));
  });

  it('the one that ends each process is found by halves; the others complete, and no worker runs any of them', async () => {
    const runs = await workAndCountRuns();
    for (const name of ['Ada', 'Ben', 'Cem', 'poison', 'Dan', 'Eve', 'Fay', 'Gus']) {
      await leaveJobBehind({ workerNumber: 5, name });
    }
    const sizes: number[] = [];
    while ((await test.jobStates('dead-letters')).length === 0 && sizes.length < 20) {
      // Long enough to miss the last process.
      await test.clock.tick(3_000);
      let together: string[] = [];
      await runSuspectsApart(async (name, { signal, die }) => {
        together.push(name);
        await new Promise(setImmediate);
        const group = together;
        if (!group.includes('poison')) {
          together = [];
          return;
        }
        if (name === 'poison') {
          sizes.push(group.length);
          die();
        }
        await untilLeft(signal);
      });
    }

    expect(sizes).toEqual([8, 4, 2, 1]);
    const { rows } = await test.database.pool.query(
      "select data ->> 'name' as name from queue.job where name = 'dead-letters'",
    );
    expect(rows).toEqual([{ name: 'poison' }]);
    expect((await test.jobStates('greet')).sort()).toEqual([...Array(7).fill('completed'), 'failed']);
    expect(runs).toEqual([]);
    expect(test.logged).toContain('a job has ended its process again');
  });

  it('a suspect whose process went with the whole worker gets one more chance', async () => {
    await leaveJobBehind({ workerNumber: 5 });
    const dieAlone = async () => {
      await untilSuspectsWait();
      await runSuspectsApart(
        async (_, { signal, die }) => {
          die();
          await untilLeft(signal);
        },
        { suspectsOf: 6 },
      );
    };

    await dieAlone();
    await dieAlone();

    await test.tickUntil(async () => (await test.jobStates('dead-letters')).length === 1);
  });

  it.each(['completed', 'failed', 'cancelled', 'removed'])(
    'its job that is %s leaves no record of a run',
    async (state) => {
      await leaveJobBehind({ workerNumber: 5 });
      if (state === 'removed') await test.database.pool.query(`delete from queue.job where name = 'greet'`);
      else await test.database.pool.query(`update queue.job set state = $1 where name = 'greet'`, [state]);

      await test.tickUntil(async () => (await test.readRuns()).length === 0);
      expect(await test.queue.areSuspectsWaiting(['greet'])).toBe(false);
      expect(test.logged).not.toContain('the worker of a job is gone');
    },
  );

  it('a suspect that is removed while it waits leaves no record of a run', async () => {
    await leaveJobBehind({ workerNumber: 5 });
    await untilSuspectsWait();

    await test.database.pool.query(`delete from queue.job where name = 'greet'`);

    await test.tickUntil(async () => (await test.readRuns()).length === 0);
  });

  it('a suspect that completed alone is not to blame for the later death of its process', async () => {
    await leaveJobBehind({ workerNumber: 5 });
    await test.database.pool.query(`update queue.job set state = 'completed' where name = 'greet'`);
    await test.database.pool.query('update job_runs set losses = 1');

    await test.tickUntil(async () => (await test.readRuns()).length === 0);
    expect(await test.queue.countDeadLetters()).toBe(0);
  });

  it('a suspect that its process gives back stays one', async () => {
    await leaveJobBehind({ workerNumber: 5 });
    const runs = await workAndCountRuns();
    await untilSuspectsWait();
    const child = await openWorkQueue({
      ...test.options(),
      clock: test.clock,
      supervises: false,
      suspectsOf: test.queue.workerNumber,
    });
    const started = Promise.withResolvers<void>();
    await child.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        started.resolve();
        await once(signal, 'abort');
      }),
    ]);
    void child.runSuspects();
    await started.promise;

    await child.close();
    await test.clock.tick(5_000);

    expect(await test.jobStates('greet')).toEqual(['retry']);
    expect(await test.queue.areSuspectsWaiting(['greet'])).toBe(true);
    expect(runs).toEqual([]);
  });

  it('workers run suspects one by one where no process for them can start, and one that ends its worker is a dead letter', async () => {
    await leaveJobBehind({ workerNumber: 5 });
    await leaveJobBehind({ workerNumber: 5 });
    let startedCount = 0;
    const stopWork = await test.queue.work([
      handleJob(greet, { concurrency: 2 }, async (_, { signal }) => {
        startedCount += 1;
        await untilLeft(signal);
      }),
    ]);
    await untilSuspectsWait();
    const release = () => test.queue.releaseSuspect(['greet']);

    await release();
    await test.tickUntil(() => startedCount === 1);
    await release();
    await test.clock.tick(2_000);
    expect(startedCount).toBe(1);
    await stopWork({ leavesJobs: true });
    await test.queue.close();
    test.queue = await openWorkQueue({ ...test.options(), clock: test.clock });

    await test.tickUntil(async () => (await test.jobStates('dead-letters')).length === 1);
    expect(await test.queue.areSuspectsWaiting(['greet'])).toBe(true);
  });

  it('the jobs of a worker that an uncaught error ends are suspects too', async () => {
    let isStarted = false;
    const failing = await openWorkQueue({ ...test.options(), clock: test.clock, supervises: false });
    const stopWork = await failing.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        isStarted = true;
        await once(signal, 'abort');
      }),
    ]);
    await test.enqueue('Ada');
    await test.tickUntil(() => isStarted);

    await stopWork({ leavesJobs: true });
    await failing.close();

    await untilSuspectsWait();
  });

  it('its jobs are known, even if one of them ended it at once', async () => {
    let known: unknown;
    await test.queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        known = await test.readRuns();
      }),
    ]);
    await test.enqueue('Ada');

    await test.tickUntil(() => known !== undefined);

    expect(known).toMatchObject([{ job_name: 'greet', worker_number: test.queue.workerNumber, losses: 0 }]);
  });

  it('its run of a scheduled job is tried again apart, and is no dead letter if it ends its process', async () => {
    await test.queue.work([handleJob(tidy, { concurrency: 1 }, async () => undefined)]);
    const { rows } = await test.database.pool.query(
      `insert into queue.job (name, data, state, started_on, retry_limit)
       values ('tidy', '{}', 'active', now(), 0) returning id`,
    );
    await test.database.pool.query(
      "insert into job_runs (job_id, job_name, retry_count, worker_number) values ($1, 'tidy', 0, 5)",
      [rows[0]?.id],
    );
    await test.tickUntil(() => test.queue.areSuspectsWaiting(['tidy']));

    await test.database.pool.query('update job_runs set worker_number = 6');

    await test.tickUntil(async () => (await test.jobStates('tidy')).includes('failed'));
    expect(await test.queue.countDeadLetters()).toBe(0);
  });

  it('the next runs of a scheduled job that ends processes begin apart, until one ends well', async () => {
    const runs: string[] = [];
    await test.queue.work([
      handleJob(tidy, { concurrency: 1 }, async (_, { jobId }) => void runs.push(jobId)),
    ]);
    const beginRun = async ({ workerNumber }: { workerNumber?: number } = {}) => {
      const [state, startedAt] = workerNumber ? ['active', new Date()] : ['created', null];
      const { rows } = await test.database.pool.query(
        `insert into queue.job (name, data, state, started_on, retry_limit)
         values ('tidy', '{}', $1, $2, 0) returning id`,
        [state, startedAt],
      );
      if (workerNumber)
        await test.database.pool.query(
          "insert into job_runs (job_id, job_name, retry_count, worker_number) values ($1, 'tidy', 0, $2)",
          [rows[0]?.id, workerNumber],
        );
      await test.clock.setTime(Date.now());
    };
    const runApart = async (endsProcess: boolean) => {
      await test.tickUntil(() => test.queue.areSuspectsWaiting(['tidy']));
      await runSuspectsApart(async (_, { signal, die }) => {
        if (!endsProcess) return;
        die();
        await untilLeft(signal);
      });
    };
    const untilFailed = (count: number) =>
      test.tickUntil(
        async () => (await test.jobStates('tidy')).filter((state) => state === 'failed').length === count,
      );

    await beginRun({ workerNumber: 5 });
    await runApart(true);
    await untilFailed(1);
    // The next run has another id.
    await beginRun();
    await test.clock.tick(20_000);
    expect(runs).toEqual([]);
    await runApart(true);
    await untilFailed(2);

    await beginRun();
    await runApart(false);
    expect(await test.readRuns()).toEqual([]);
    await beginRun();
    await test.tickUntil(() => runs.length === 1);
  });

  it('workers do run the jobs of other customers, and those that are released', async () => {
    const [poisoner, other] = [randomUUID(), randomUUID()];
    const owned = defineJob({ ...greet, name: 'owned', payload: z.strictObject({ ownerId: z.uuid() }) });
    const runs: string[] = [];
    await test.queue.work([
      handleJob(owned, { concurrency: 4 }, async ({ ownerId }) => void runs.push(ownerId)),
    ]);
    await test.database.pool.query(
      `insert into job_runs (job_id, job_name, owner_id, retry_count, worker_number, losses, is_blamed)
       values ($1, 'owned', $2, 0, 0, 2, true)`,
      [randomUUID(), poisoner],
    );
    for (const ownerId of [poisoner, poisoner, other])
      await test.database.db.transaction().execute((tx) => test.queue.enqueue(tx, owned, { ownerId }));

    await test.tickUntil(() => test.queue.areSuspectsWaiting(['owned']));
    await test.tickUntil(() => runs.length > 0);
    await test.clock.tick(20_000);
    expect(runs).toEqual([other]);

    await test.queue.releaseSuspect(['owned']);
    await test.tickUntil(() => runs.length === 2);
    // The first ended well, so no job of this customer is to blame; the second one is a suspect still.
    const left = await test.readRuns();
    expect(left).toMatchObject([{ owner_id: poisoner, is_blamed: false, losses: 1 }]);
  });

  it('a job of one that is still connected stays with it', async () => {
    const alive = await test.database.pool.connect();
    await alive.query('select pg_advisory_lock($1, 5)', [presenceLock]);
    await leaveJobBehind({ workerNumber: 5 });
    const runs = await workAndCountRuns();

    await test.clock.tick(8_000);

    expect(runs).toEqual([]);
    alive.release(true);
  });

  it('one that could not say what it ran is missed by its heartbeat, within fourteen seconds', async () => {
    await leaveJobBehind();
    const runs = await workAndCountRuns();

    await test.tickUntil(() => runs.length > 0, 15);

    expect(runs[0]?.retryCount).toBe(1);
  });

  it('shows its presence again when its connection was cut', async () => {
    const held = async () =>
      (
        await test.database.pool.query(
          `select pid from pg_locks where locktype = 'advisory' and classid = $1 and granted and ${isLockHere}`,
          [presenceLock],
        )
      ).rows.map((row) => row.pid);
    const [pid] = await held();

    await test.database.pool.query('select pg_terminate_backend($1)', [pid]);

    await vi.waitFor(
      async () => {
        const pids = await held();
        expect(pids).toHaveLength(1);
        expect(pids).not.toEqual([pid]);
      },
      { timeout: 50_000 },
    );
  });
});
