import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PgBoss, TestClock } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase, isLockHere, type TestDatabase } from '../../testing/database.ts';
import { createLogger } from '../logging/index.ts';
import { defineJob, handleJob, type JobRun, openQueue, openWorkQueue, type WorkQueue } from './index.ts';
import { presenceLock } from './presence.ts';
import { lastPlace, takingStatement } from './take-jobs.ts';

const greet = defineJob({
  name: 'greet',
  payload: z.strictObject({ name: z.string() }),
  expireSeconds: 60,
  retryLimit: 2,
});
const greetAtOnce = defineJob({ ...greet, name: 'greet-at-once', startsAtOnce: true });
const tidy = defineJob({
  name: 'tidy',
  payload: z.strictObject({}),
  expireSeconds: 60,
  retryLimit: 0,
  schedule: '*/5 * * * *',
});

describe('the job queue', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let queue: WorkQueue;
  let logged: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    clock = new TestClock();
    logged = '';
    queue = await openWorkQueue({ ...options(), clock });
  });
  afterEach(async () => {
    await queue.close();
    await database.close();
  });

  const options = () => ({
    databaseUrl: database.url,
    applicationName: 'assay test',
    logger: createLogger({
      level: 'info',
      process: 'test',
      destination: {
        write: (line: string) => {
          logged += line;
        },
      },
    }),
  });
  const enqueue = (name: string, job = greet) =>
    database.db.transaction().execute((tx) => queue.enqueue(tx, job, { name }));
  /** Moves the queue's time on, second by second, until something is so. Never waits for real time to pass. */
  const tickUntil = async (isSo: () => boolean | Promise<boolean>, maxSeconds = 60) => {
    for (let second = 0; second < maxSeconds; second += 1) {
      if (await isSo()) return second;
      await clock.tick(1_000);
    }
    throw new Error(`It was not so within ${maxSeconds} seconds of the queue's time.`);
  };
  const jobStates = async (name: string) =>
    (await database.pool.query('select state from queue.job where name = $1', [name])).rows.map(
      (row) => row.state,
    );

  it('runs what a committed transaction enqueued', async () => {
    const names: string[] = [];
    await queue.work([handleJob(greet, { concurrency: 1 }, async ({ name }) => void names.push(name))]);

    await enqueue('Ada');

    await tickUntil(() => names.length > 0);
    expect(names).toEqual(['Ada']);
    await tickUntil(async () => (await jobStates('greet')).join() === 'completed');
  });

  it('writes down the end of a job also after one that failed', async () => {
    let runs = 0;
    await queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        runs += 1;
        if (runs === 1) throw new Error('the first try fails');
      }),
    ]);

    await enqueue('Ada');

    await tickUntil(async () => (await jobStates('greet')).join() === 'completed');
    expect(runs).toBe(2);
  });

  it('leaves nothing of a job that keeps no record, not even when it failed before', async () => {
    const forgotten = defineJob({ ...greet, name: 'greet-and-forget', keepsNoRecord: true });
    const runs: number[] = [];
    await queue.work([
      handleJob(forgotten, { concurrency: 2 }, async ({ name }, { retryCount }) => {
        runs.push(retryCount);
        if (name === 'Ada' && retryCount === 0) throw new Error('the first try fails');
      }),
    ]);

    await enqueue('Ada', forgotten);
    await enqueue('Ben', forgotten);

    await tickUntil(async () => runs.length === 3 && (await jobStates(forgotten.name)).length === 0);
    const { rows } = await database.pool.query('select from job_runs');
    expect(rows).toEqual([]);
    expect(runs.toSorted()).toEqual([0, 0, 1]);
  });

  it('does not remove a job that another worker has started again', async () => {
    const forgotten = defineJob({ ...greet, name: 'greet-and-forget', keepsNoRecord: true });
    const began = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    let runs = 0;
    await queue.work([
      handleJob(forgotten, { concurrency: 1 }, async () => {
        runs += 1;
        began.resolve();
        await mayEnd.promise;
      }),
    ]);
    await enqueue('Ada', forgotten);
    await tickUntil(() => runs === 1);
    await began.promise;
    await database.pool.query('update queue.job set retry_count = retry_count + 1 where name = $1', [
      forgotten.name,
    ]);

    mayEnd.resolve();

    await tickUntil(async () => (await database.pool.query('select from job_runs')).rows.length === 0);
    expect(await jobStates(forgotten.name)).toEqual(['active']);
  });

  it('knows nothing of a transaction that failed', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await queue.enqueue(tx, greet, { name: 'Ada' });
      throw new Error('the process dies here');
    });

    await expect(failing).rejects.toThrow('the process dies here');
    expect(await jobStates('greet')).toEqual([]);
  });

  it('takes jobs from a process that runs none', async () => {
    const sender = await openQueue(options());
    await database.db
      .transaction()
      .execute((tx) =>
        sender.enqueueMany(tx, greet, [{ payload: { name: 'Ada' } }, { payload: { name: 'Bo' } }]),
      );
    await sender.close();

    const names: string[] = [];
    await queue.work([handleJob(greet, { concurrency: 1 }, async ({ name }) => void names.push(name))]);
    await tickUntil(() => names.length === 2);
    expect(names).toEqual(['Ada', 'Bo']);
  });

  it('refuses a payload that does not fit, before it is written', async () => {
    const enqueueing = database.db
      .transaction()
      .execute((tx) => queue.enqueue(tx, greet, { nobody: 1 } as unknown as { name: string }));

    await expect(enqueueing).rejects.toThrow();
    expect(await jobStates('greet')).toEqual([]);
  });

  it('starts at once a job that says so, without waiting for the next poll', async () => {
    const names: string[] = [];
    await queue.work([handleJob(greetAtOnce, { concurrency: 1 }, async ({ name }) => void names.push(name))]);
    // With its clock standing still, the worker never polls by itself; a little earlier than the job, so that it is due.
    await clock.setTime(Date.now() + 60_000);

    await enqueue('Ada', greetAtOnce);

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
    const other = await openWorkQueue({ ...options(), clock });
    for (const one of [queue, other]) {
      await one.work([handleJob(follow, { concurrency: 1 }, async (job) => void owners.push(job.ownerId))]);
    }
    await clock.setTime(Date.now() + 60_000);
    const [ada, max] = [randomUUID(), randomUUID()];

    await database.pool.query("select pg_notify('assay_jobs', '{\"name\":')");
    for (const ownerId of [ada, max]) {
      await database.pool.query("select request_job('follow', $1), request_job('follow', $1)", [ownerId]);
      await vi.waitFor(() => expect(owners).toContain(ownerId), { timeout: 50_000 });
    }

    await other.close();
    expect(owners).toEqual([ada, max]);
    expect(await jobStates('follow')).toHaveLength(2);
  });

  it('goes through a backlog without waiting between one and the next', async () => {
    const names: string[] = [];
    await queue.work([handleJob(greetAtOnce, { concurrency: 1 }, async ({ name }) => void names.push(name))]);
    await clock.setTime(Date.now() + 60_000);

    const items = Array.from({ length: 20 }, (_, index) => ({ payload: { name: `${index}` } }));
    await database.db.transaction().execute((tx) => queue.enqueueMany(tx, greetAtOnce, items));

    await vi.waitFor(() => expect(names).toHaveLength(20), { timeout: 50_000 });
  });

  it('starts a delayed job when its time has come, and a more urgent one first', async () => {
    const names: string[] = [];
    await database.db
      .transaction()
      .execute((tx) =>
        queue.enqueueMany(tx, greet, [
          { payload: { name: 'later' }, afterMs: 30_000 },
          { payload: { name: 'usual' } },
          { payload: { name: 'urgent' }, priority: 10 },
        ]),
      );
    await queue.work([handleJob(greet, { concurrency: 1 }, async ({ name }) => void names.push(name))]);

    const seconds = await tickUntil(() => names.length === 3);

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
    await queue.work([
      handleJob(greet, { concurrency: 2 }, async () => {
        runningCount += 1;
        mostCount = Math.max(mostCount, runningCount);
        await held;
        runningCount -= 1;
        doneCount += 1;
      }),
    ]);
    for (const name of ['Ada', 'Bo', 'Cy']) await enqueue(name);

    await tickUntil(() => runningCount === 2);
    await clock.tick(5_000);
    expect(runningCount).toBe(2);
    release();
    await tickUntil(() => doneCount === 3);
    expect(mostCount).toBe(2);
  });

  describe('places by customer', () => {
    const [many, few] = [randomUUID(), randomUUID()];
    const owned = defineJob({
      name: 'owned',
      payload: z.strictObject({ ownerId: z.uuid(), name: z.string() }),
      expireSeconds: 60,
      retryLimit: 2,
    });
    const jobsOf = (ownerId: string, count: number, priority = 0) =>
      Array.from({ length: count }, (_, index) => ({ payload: { ownerId, name: `${index}` }, priority }));
    const enqueueAll = (items: ReturnType<typeof jobsOf>) =>
      database.db.transaction().execute((tx) => queue.enqueueMany(tx, owned, items));
    /** Runs jobs that end when the test says, and notes whose they are. */
    const workUntilTold = async (concurrency: number) => {
      const started: string[] = [];
      const ends: (() => void)[] = [];
      await queue.work([
        handleJob(owned, { concurrency }, ({ ownerId }, { signal }) => {
          started.push(ownerId === many ? 'many' : 'few');
          return new Promise<void>((resolve) => {
            ends.push(resolve);
            signal.addEventListener('abort', () => resolve());
          });
        }),
      ]);
      return { started, endNext: () => ends.shift()?.() };
    };

    it('keeps a place for a customer who comes after one with many jobs that never end', async () => {
      const { started } = await workUntilTold(8);
      await enqueueAll(jobsOf(many, 100));
      await tickUntil(() => started.length >= 6);
      await clock.tick(3_000);
      expect(started).toHaveLength(6);

      await enqueueAll(jobsOf(few, 1));

      await tickUntil(() => started.includes('few'));
      expect(started.filter((who) => who === 'many')).toHaveLength(6);
    });

    it('gives the next place to the customer who has none, whatever arrived first', async () => {
      const { started, endNext } = await workUntilTold(1);
      await enqueueAll(jobsOf(many, 50, 10));
      await tickUntil(() => started.length === 1);
      await enqueueAll(jobsOf(few, 2));

      for (let ended = 1; ended < 5; ended += 1) {
        endNext();
        await tickUntil(() => started.length > ended);
      }

      expect(started).toEqual(['many', 'few', 'many', 'few', 'many']);
    });

    it('takes turns between customers with many jobs', async () => {
      await enqueueAll(jobsOf(many, 50));
      await enqueueAll(jobsOf(few, 50));

      const { started } = await workUntilTold(8);

      await tickUntil(() => started.length === 8);
      expect(started.filter((who) => who === 'few')).toHaveLength(4);
    });

    it('runs each job once, however many workers take them at the same time', async () => {
      const other = await openWorkQueue({ ...options(), clock });
      const runs = new Map<string, number>();
      for (const one of [queue, other]) {
        await one.work([
          handleJob(owned, { concurrency: 5 }, async ({ ownerId, name }) => {
            runs.set(`${ownerId} ${name}`, (runs.get(`${ownerId} ${name}`) ?? 0) + 1);
          }),
        ]);
      }
      await enqueueAll([...jobsOf(many, 60), ...jobsOf(few, 60)]);

      await tickUntil(() => runs.size === 120);
      await clock.tick(3_000);

      await other.close();
      expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
    });

    it('lets throttled customers come after all others', async () => {
      await enqueueAll(jobsOf(many, 3, -lastPlace));
      await enqueueAll(jobsOf(few, 3));

      const { started, endNext } = await workUntilTold(1);
      for (let ended = 0; ended < 6; ended += 1) {
        await tickUntil(() => started.length > ended);
        endNext();
      }

      expect(started).toEqual(['few', 'few', 'few', 'many', 'many', 'many']);
    });

    it('finds the first jobs of each customer without reading the others of one who has many', async () => {
      await enqueueAll(jobsOf(few, 1));
      await database.pool.query(
        `insert into queue.job (name, data, priority)
         select 'owned', jsonb_build_object('ownerId', $1::text, 'name', n::text), -n from generate_series(1, 20000) as n`,
        [many],
      );

      const { rows } = await database.pool.query(
        `explain (analyze, buffers, format json) ${takingStatement}`,
        ['owned', 2, [''], [0], [0], [0], 6, queue.workerNumber],
      );

      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      expect(plan['Actual Rows']).toBe(2);
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(200);
    });
  });

  it('retries a failing job, then keeps it as a dead letter without email addresses', async () => {
    let runCount = 0;
    await queue.work([
      handleJob(greet, { concurrency: 1 }, async () => {
        runCount += 1;
        throw new Error('could not greet ada@example.com');
      }),
    ]);
    await enqueue('Ada');

    await tickUntil(async () => (await jobStates('dead-letters')).length === 1);
    await clock.tick(5_000);

    expect(runCount).toBe(3);
    expect(await queue.countDeadLetters()).toBe(1);
    expect(logged).toMatch(/"job":"greet".*"retry_count":2,"is_last":true/);
    const { rows } = await database.pool.query('select output, source_output from queue.job');
    expect(JSON.stringify(rows) + logged).not.toContain('ada@');
  });

  it('a scheduled job that fails, or whose worker cannot send heartbeats, is no dead letter', async () => {
    let runCount = 0;
    await queue.work([
      handleJob(tidy, { concurrency: 1 }, async () => {
        runCount += 1;
        throw new Error('could not tidy');
      }),
    ]);
    // Nobody sends its heartbeats.
    await database.pool.query(
      `insert into queue.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, retry_limit, dead_letter)
       select name, '{}', 'active', now(), now(), heartbeat_seconds, retry_limit, dead_letter
       from queue.queue where name = 'tidy'`,
    );
    await clock.setTime(Date.now());

    await tickUntil(async () => (await jobStates('tidy')).includes('failed'), 20);
    await tickUntil(() => runCount > 0, 400);
    await clock.tick(5_000);

    expect(logged).toContain('"job":"tidy"');
    expect(await jobStates('dead-letters')).toEqual([]);
  });

  describe('when a worker dies', () => {
    /** What a killed process leaves behind: a job that it took, perhaps a word that it runs it, and silence. */
    const leaveJobBehind = async ({
      workerNumber,
      name = 'Ada',
    }: {
      workerNumber?: number;
      name?: string;
    } = {}) => {
      await enqueue(name);
      const dead = new PgBoss({
        connectionString: database.url,
        schema: 'queue',
        supervise: false,
        schedule: false,
      });
      await dead.start();
      const [job] = await dead.fetch('greet');
      await dead.stop({ graceful: false });
      if (workerNumber) {
        await database.pool.query(
          "insert into job_runs (job_id, job_name, retry_count, worker_number) values ($1, 'greet', 0, $2)",
          [job?.id, workerNumber],
        );
      }
      // The dead worker took the job by real time; from here on only the test's counts.
      await clock.setTime(Date.now());
    };
    const workAndCountRuns = async () => {
      const runs: JobRun[] = [];
      await queue.work([handleJob(greet, { concurrency: 1 }, async (_, run) => void runs.push(run))]);
      return runs;
    };
    const untilSuspectsWait = () => tickUntil(() => queue.areSuspectsWaiting(['greet']));
    const readRuns = async () => (await database.pool.query('select * from job_runs')).rows;
    const untilLeft = (signal: AbortSignal) => (signal.aborted ? undefined : once(signal, 'abort'));
    /** Stands in for a process for suspects. It ends without a word when `work` says so, else when no suspect is left. */
    const runSuspectsApart = async (
      work: (name: string, run: JobRun & { readonly die: () => void }) => Promise<unknown>,
      { suspectsOf = queue.workerNumber } = {},
    ): Promise<void> => {
      const child = await openWorkQueue({ ...options(), clock, supervises: false, suspectsOf });
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
      await clock.tick(20_000);
      expect(runs).toEqual([]);
      const tries: number[] = [];
      await runSuspectsApart(async (_, { retryCount }) => tries.push(retryCount));

      expect(tries).toEqual([1]);
      expect(await jobStates('greet')).toEqual(['completed']);
      expect(await readRuns()).toEqual([]);
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

      expect(await jobStates('greet')).toEqual(Array(5).fill('completed'));
    });

    it('the one that ends each process is found by halves; the others complete, and no worker runs any of them', async () => {
      const runs = await workAndCountRuns();
      for (const name of ['Ada', 'Ben', 'Cem', 'poison', 'Dan', 'Eve', 'Fay', 'Gus']) {
        await leaveJobBehind({ workerNumber: 5, name });
      }
      const sizes: number[] = [];
      while ((await jobStates('dead-letters')).length === 0 && sizes.length < 20) {
        // Long enough to miss the last process.
        await clock.tick(3_000);
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
      const { rows } = await database.pool.query(
        "select data ->> 'name' as name from queue.job where name = 'dead-letters'",
      );
      expect(rows).toEqual([{ name: 'poison' }]);
      expect((await jobStates('greet')).sort()).toEqual([...Array(7).fill('completed'), 'failed']);
      expect(runs).toEqual([]);
      expect(logged).toContain('a job has ended its process again');
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

      await tickUntil(async () => (await jobStates('dead-letters')).length === 1);
    });

    it('a suspect that its process gives back stays one', async () => {
      await leaveJobBehind({ workerNumber: 5 });
      const runs = await workAndCountRuns();
      await untilSuspectsWait();
      const child = await openWorkQueue({
        ...options(),
        clock,
        supervises: false,
        suspectsOf: queue.workerNumber,
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
      await clock.tick(5_000);

      expect(await jobStates('greet')).toEqual(['retry']);
      expect(await queue.areSuspectsWaiting(['greet'])).toBe(true);
      expect(runs).toEqual([]);
    });

    it('workers run suspects one by one where no process for them can start, and one that ends its worker is a dead letter', async () => {
      await leaveJobBehind({ workerNumber: 5 });
      await leaveJobBehind({ workerNumber: 5 });
      let startedCount = 0;
      const stopWork = await queue.work([
        handleJob(greet, { concurrency: 2 }, async (_, { signal }) => {
          startedCount += 1;
          await untilLeft(signal);
        }),
      ]);
      await untilSuspectsWait();
      const release = () => queue.releaseSuspect(['greet']);

      await release();
      await tickUntil(() => startedCount === 1);
      await release();
      await clock.tick(2_000);
      expect(startedCount).toBe(1);
      await stopWork({ leavesJobs: true });
      await queue.close();
      queue = await openWorkQueue({ ...options(), clock });

      await tickUntil(async () => (await jobStates('dead-letters')).length === 1);
      expect(await queue.areSuspectsWaiting(['greet'])).toBe(true);
    });

    it('the jobs of a worker that an uncaught error ends are suspects too', async () => {
      let isStarted = false;
      const failing = await openWorkQueue({ ...options(), clock, supervises: false });
      const stopWork = await failing.work([
        handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
          isStarted = true;
          await once(signal, 'abort');
        }),
      ]);
      await enqueue('Ada');
      await tickUntil(() => isStarted);

      await stopWork({ leavesJobs: true });
      await failing.close();

      await untilSuspectsWait();
    });

    it('its jobs are known, even if one of them ended it at once', async () => {
      let known: unknown;
      await queue.work([
        handleJob(greet, { concurrency: 1 }, async () => {
          known = await readRuns();
        }),
      ]);
      await enqueue('Ada');

      await tickUntil(() => known !== undefined);

      expect(known).toMatchObject([{ job_name: 'greet', worker_number: queue.workerNumber, losses: 0 }]);
    });

    it('its run of a scheduled job is tried again apart, and is no dead letter if it ends its process', async () => {
      await queue.work([handleJob(tidy, { concurrency: 1 }, async () => undefined)]);
      const { rows } = await database.pool.query(
        `insert into queue.job (name, data, state, started_on, retry_limit)
         values ('tidy', '{}', 'active', now(), 0) returning id`,
      );
      await database.pool.query(
        "insert into job_runs (job_id, job_name, retry_count, worker_number) values ($1, 'tidy', 0, 5)",
        [rows[0]?.id],
      );
      await tickUntil(() => queue.areSuspectsWaiting(['tidy']));

      await database.pool.query('update job_runs set worker_number = 6');

      await tickUntil(async () => (await jobStates('tidy')).includes('failed'));
      expect(await queue.countDeadLetters()).toBe(0);
    });

    it('the next runs of a scheduled job that ends processes begin apart, until one ends well', async () => {
      const runs: string[] = [];
      await queue.work([handleJob(tidy, { concurrency: 1 }, async (_, { jobId }) => void runs.push(jobId))]);
      const beginRun = async ({ workerNumber }: { workerNumber?: number } = {}) => {
        const [state, startedAt] = workerNumber ? ['active', new Date()] : ['created', null];
        const { rows } = await database.pool.query(
          `insert into queue.job (name, data, state, started_on, retry_limit)
           values ('tidy', '{}', $1, $2, 0) returning id`,
          [state, startedAt],
        );
        if (workerNumber)
          await database.pool.query(
            "insert into job_runs (job_id, job_name, retry_count, worker_number) values ($1, 'tidy', 0, $2)",
            [rows[0]?.id, workerNumber],
          );
        await clock.setTime(Date.now());
      };
      const runApart = async (endsProcess: boolean) => {
        await tickUntil(() => queue.areSuspectsWaiting(['tidy']));
        await runSuspectsApart(async (_, { signal, die }) => {
          if (!endsProcess) return;
          die();
          await untilLeft(signal);
        });
      };
      const untilFailed = (count: number) =>
        tickUntil(
          async () => (await jobStates('tidy')).filter((state) => state === 'failed').length === count,
        );

      await beginRun({ workerNumber: 5 });
      await runApart(true);
      await untilFailed(1);
      // The next run has another id.
      await beginRun();
      await clock.tick(20_000);
      expect(runs).toEqual([]);
      await runApart(true);
      await untilFailed(2);

      await beginRun();
      await runApart(false);
      expect(await readRuns()).toEqual([]);
      await beginRun();
      await tickUntil(() => runs.length === 1);
    });

    it('workers do run the jobs of other customers, and those that are released', async () => {
      const [poisoner, other] = [randomUUID(), randomUUID()];
      const owned = defineJob({ ...greet, name: 'owned', payload: z.strictObject({ ownerId: z.uuid() }) });
      const runs: string[] = [];
      await queue.work([
        handleJob(owned, { concurrency: 4 }, async ({ ownerId }) => void runs.push(ownerId)),
      ]);
      await database.pool.query(
        `insert into job_runs (job_id, job_name, owner_id, retry_count, worker_number, losses, is_blamed)
         values ($1, 'owned', $2, 0, 0, 2, true)`,
        [randomUUID(), poisoner],
      );
      for (const ownerId of [poisoner, poisoner, other])
        await database.db.transaction().execute((tx) => queue.enqueue(tx, owned, { ownerId }));

      await tickUntil(() => queue.areSuspectsWaiting(['owned']));
      await tickUntil(() => runs.length > 0);
      await clock.tick(20_000);
      expect(runs).toEqual([other]);

      await queue.releaseSuspect(['owned']);
      await tickUntil(() => runs.length === 2);
      // The first ended well, so no job of this customer is to blame; the second one is a suspect still.
      const left = await readRuns();
      expect(left).toMatchObject([{ owner_id: poisoner, is_blamed: false, losses: 1 }]);
    });

    it('a job of one that is still connected stays with it', async () => {
      const alive = await database.pool.connect();
      await alive.query('select pg_advisory_lock($1, 5)', [presenceLock]);
      await leaveJobBehind({ workerNumber: 5 });
      const runs = await workAndCountRuns();

      await clock.tick(8_000);

      expect(runs).toEqual([]);
      alive.release(true);
    });

    it('one that could not say what it ran is missed by its heartbeat, within fourteen seconds', async () => {
      await leaveJobBehind();
      const runs = await workAndCountRuns();

      await tickUntil(() => runs.length > 0, 15);

      expect(runs[0]?.retryCount).toBe(1);
    });
  });

  it('shows its presence again when its connection was cut', async () => {
    const held = async () =>
      (
        await database.pool.query(
          `select pid from pg_locks where locktype = 'advisory' and classid = $1 and granted and ${isLockHere}`,
          [presenceLock],
        )
      ).rows.map((row) => row.pid);
    const [pid] = await held();

    await database.pool.query('select pg_terminate_backend($1)', [pid]);

    await vi.waitFor(
      async () => {
        const pids = await held();
        expect(pids).toHaveLength(1);
        expect(pids).not.toEqual([pid]);
      },
      { timeout: 50_000 },
    );
  });

  it('keeps a job as long as its worker is alive', async () => {
    const signals: AbortSignal[] = [];
    let finish: () => void = () => undefined;
    await queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        signals.push(signal);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      }),
    ]);
    await enqueue('Ada');
    await tickUntil(() => signals.length > 0);

    await clock.tick(40_000);

    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
    finish();
    await tickUntil(async () => (await jobStates('greet')).join() === 'completed');
  });

  it('asks running jobs to leave off when the process stops, and gives back what they did not finish', async () => {
    let isRunning = false;
    await queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        isRunning = true;
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      }),
    ]);
    await enqueue('Ada');
    await tickUntil(() => isRunning);

    await queue.close();

    expect(await jobStates('greet')).toEqual(['retry']);
  });

  it('gives back a job that ended well after it was asked to leave off, because a part of it may be undone', async () => {
    let isRunning = false;
    const stopWork = await queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
        isRunning = true;
        await once(signal, 'abort');
      }),
    ]);
    await enqueue('Ada');
    await tickUntil(() => isRunning);

    await stopWork();

    expect(await jobStates('greet')).toEqual(['retry']);
  });

  it('gives back a job at its last try, which another worker can run at once', async () => {
    let runCount = 0;
    const running = handleJob(greet, { concurrency: 1 }, async (_, { signal }) => {
      runCount += 1;
      if (runCount <= greet.retryLimit) throw new Error('not yet');
      await once(signal, 'abort');
    });
    await queue.work([running]);
    await enqueue('Ada');
    await tickUntil(() => runCount > greet.retryLimit, 600);
    await queue.close();
    expect(await jobStates('greet')).toEqual(['retry']);

    queue = await openWorkQueue({ ...options(), clock });
    const tries: number[] = [];
    await queue.work([
      handleJob(greet, { concurrency: 1 }, async (_, { retryCount }) => void tries.push(retryCount)),
    ]);

    await vi.waitFor(() => expect(tries).toEqual([greet.retryLimit + 1]));
    expect(await queue.countDeadLetters()).toBe(0);
  });

  it('gives back jobs that arrive while the process stops, and does not begin them', async () => {
    let runCount = 0;
    await enqueue('Ada');
    // The job is due by the clock of the test, which a busy machine leaves behind the database's.
    await clock.tick(120_000);
    const blocker = await database.pool.connect();
    await blocker.query('begin; lock table queue.job in share mode');
    const stopWork = await queue.work([handleJob(greet, { concurrency: 1 }, async () => void runCount++)]);
    await vi.waitFor(async () => {
      const { rowCount } = await blocker.query(`select from pg_locks where not granted and ${isLockHere}`);
      expect(rowCount).toBe(1);
    });

    const stopped = stopWork();
    await blocker.query('commit');
    blocker.release();
    await stopped;

    expect(await jobStates('greet')).toEqual(['retry']);
    expect(runCount).toBe(0);
  });

  it('runs a scheduled job on its minute, one at a time', async () => {
    let runCount = 0;
    const countRun = async () => {
      runCount += 1;
    };
    await queue.work([handleJob(tidy, { concurrency: 2 }, countRun)]);

    await tickUntil(() => runCount > 0, 420);

    expect(runCount).toBe(1);
  });
});
