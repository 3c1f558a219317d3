import { TestClock } from 'pg-boss';
import { afterEach, beforeEach } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { createLogger } from '../../logging/index.ts';
import { defineJob, openWorkQueue, type WorkQueue } from '../index.ts';
import type { QueueOptions } from '../queue.ts';

export const greet = defineJob({
  name: 'greet',
  payload: z.strictObject({ name: z.string() }),
  expireSeconds: 60,
  retryLimit: 2,
});
export const tidy = defineJob({
  name: 'tidy',
  payload: z.strictObject({}),
  expireSeconds: 60,
  retryLimit: 0,
  schedule: '*/5 * * * *',
});

/** A queue on a database of its own for each test, with a clock that the test moves. */
class TestQueue {
  database!: TestDatabase;
  clock!: TestClock;
  queue!: WorkQueue;
  logged = '';

  async open(): Promise<void> {
    this.database = await createTestDatabase();
    this.clock = new TestClock();
    this.logged = '';
    this.queue = await openWorkQueue({ ...this.options(), clock: this.clock });
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.database.close();
  }

  /** Of another queue on the same database, such as another worker's. */
  options(): QueueOptions {
    return {
      databaseUrl: this.database.url,
      applicationName: 'assay test',
      logger: createLogger({
        level: 'info',
        process: 'test',
        destination: {
          write: (line: string) => {
            this.logged += line;
          },
        },
      }),
    };
  }

  enqueue(name: string, job = greet): Promise<void> {
    return this.database.db.transaction().execute((tx) => this.queue.enqueue(tx, job, { name }));
  }

  /** Moves the queue's time on, second by second, until something is so. Never waits for real time to pass. */
  async tickUntil(isSo: () => boolean | Promise<boolean>, maxSeconds = 60): Promise<number> {
    for (let second = 0; second < maxSeconds; second += 1) {
      if (await isSo()) return second;
      await this.clock.tick(1_000);
    }
    throw new Error(`It was not so within ${maxSeconds} seconds of the queue's time.`);
  }

  async jobStates(name: string): Promise<string[]> {
    const { rows } = await this.database.pool.query('select state from queue.job where name = $1', [name]);
    return rows.map(({ state }) => state);
  }

  /** The records of which worker runs which job. */
  async readRuns(): Promise<Record<string, unknown>[]> {
    return (await this.database.pool.query('select * from job_runs')).rows;
  }
}

export function useTestQueue(): TestQueue {
  const test = new TestQueue();
  beforeEach(() => test.open());
  afterEach(() => test.close());
  return test;
}
