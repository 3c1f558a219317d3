import type pg from 'pg';

/** The statements that wait for a connection of a pool. */
export interface WaitingLine {
  /** Whether it is so long and slow that nobody else should join it. */
  isOverlong(): boolean;
  /** Counts a call while it waits for a statement that it shares with others: for the pool they are one. */
  include<Answer>(wait: Promise<Answer>): Promise<Answer>;
}

/** A burst makes a long line that is soon gone, and a slow statement a slow line that is short: neither is overload. */
const waitingPerConnection = 10;
const waitMsMax = 100;

/**
 * Takes a place at the end of a long line and sees how long its turn takes, because the same length means another wait on
 * another machine.
 */
export function watchWaitingLine(
  pool: Pick<pg.Pool, 'connect' | 'waitingCount' | 'options'>,
  now: () => number = () => performance.now(),
): WaitingLine {
  const lengthMax = pool.options.max * waitingPerConnection;
  let includedCount = 0;
  let lastWaitMs = 0;
  let waitsSince: number | null = null;

  const takePlace = async (since: number) => {
    waitsSince = since;
    // A failed attempt waited too.
    await pool.connect().then(
      (client) => client.release(),
      () => undefined,
    );
    lastWaitMs = now() - since;
    waitsSince = null;
  };
  return {
    isOverlong: () => {
      if (pool.waitingCount + includedCount <= lengthMax) {
        lastWaitMs = 0;
        return false;
      }
      if (waitsSince === null) void takePlace(now());
      const waitMs = waitsSince === null ? 0 : now() - waitsSince;
      return Math.max(waitMs, lastWaitMs) > waitMsMax;
    },
    include: (wait) => {
      includedCount += 1;
      return wait.finally(() => {
        includedCount -= 1;
      });
    },
  };
}
