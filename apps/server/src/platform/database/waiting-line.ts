import type pg from 'pg';

/** Counts a call while it waits for a statement that it shares with others: for the pool they are one. */
export type CountWait = <Answer>(wait: Promise<Answer>) => Promise<Answer>;

/** Everything that waits for a connection of a pool: its statements, and calls that share one statement. */
export interface WaitingLine {
  /** Whether it is so long and slow that nobody else should join it. */
  isOverlong(): boolean;
  readonly countWhile: CountWait;
}

/** A burst makes a long line that is soon gone, and a slow statement a slow line that is short: neither is overload. */
const waitingPerConnection = 10;
/** A call waits a few times. With 250 ms, twice the load that the API can bear made accepted calls five times as slow. */
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
  /** Oldest first, as sets keep their order. */
  const counted = new Set<{ readonly since: number }>();
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
  const msSince = (since: number | null | undefined) => (since == null ? 0 : now() - since);
  return {
    isOverlong: () => {
      if (pool.waitingCount + counted.size <= lengthMax) {
        lastWaitMs = 0;
        return false;
      }
      if (waitsSince === null) void takePlace(now());
      const [oldest] = counted;
      return Math.max(msSince(waitsSince), msSince(oldest?.since), lastWaitMs) > waitMsMax;
    },
    countWhile: (wait) => {
      const call = { since: now() };
      counted.add(call);
      return wait.finally(() => counted.delete(call));
    },
  };
}
