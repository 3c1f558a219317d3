import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { isDeadlock, isLockTimeout } from './lock-errors.ts';

/**
 * A change of the schema that waits for a table makes all later users of the table wait too. So it waits briefly and tries again, for
 * example until a long COPY is done.
 */
export interface LockPatience {
  readonly waitMs: number;
  readonly pauseMs: number;
  readonly triesMax: number;
}

interface Step {
  /** For the error, if it fails. */
  readonly name: string;
  /** Runs in a transaction, which begins again if a table is in use. */
  readonly run: () => Promise<unknown>;
}

/** Changes the schema in a transaction of its own, as soon as the tables are free. */
export async function takeStep(client: pg.Client, step: Step, patience: LockPatience): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryStep(client, step, patience);
    } catch (error) {
      const { cause } = error as Error;
      const isInUse = isLockTimeout(cause) || isDeadlock(cause);
      if (!isInUse || tries >= patience.triesMax) throw error;
      await setTimeout(patience.pauseMs);
    }
  }
}

async function tryStep(client: pg.Client, { name, run }: Step, { waitMs }: LockPatience): Promise<void> {
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${waitMs}`);
    await run();
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new Error(`${name} failed: ${(cause as Error).message}`, { cause });
  }
}
