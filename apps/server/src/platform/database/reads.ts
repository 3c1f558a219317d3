import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Schedule, SteadyClock } from '../clock.ts';
import { AppError } from '../errors/index.ts';
import type { Logger } from '../logging/index.ts';
import { type Database, type Db, openDatabase } from './database.ts';
import type { Tables } from './tables.ts';

/** Where a read goes. */
interface ReadSource {
  readonly db: Db;
  /** For COPY, which needs a connection to itself. */
  readonly pool: ConnectionSource;
}

export interface ConnectionSource {
  connect(): Promise<pg.PoolClient>;
}

/** One export or chart, which may take several reads. */
export interface Reading {
  /**
   * Reads from the replica, or from the primary. A read that fails or hangs at the replica is repeated at the primary, and
   * the following ones go there too. So it must change nothing and must be repeatable.
   */
  read<Result>(work: (source: ReadSource) => Promise<Result>): Promise<Result>;
}

/** Long reads that may come from a replica. */
export interface Reads {
  /** Sees everything that was committed before the call, wherever it reads. */
  begin(): Promise<Reading>;
  close(): Promise<void>;
}

interface ReadsOptions {
  readonly primary: Database;
  /** One streaming replica of the primary; null without one. */
  readonly replicaUrl: string | null;
  readonly poolSize: number;
  readonly clock: SteadyClock;
  readonly schedule: Schedule;
  readonly logger: Logger;
}

/** For a connection, and for each question about the replica. */
const answerMsMax = 1_000;
/**
 * For one read, which is a page of an export or a chart. A replica that stopped, or a lock that its replay holds, would keep
 * a download waiting without end: TCP notices neither.
 */
const readMsMax = 15_000;
/** A replica is usually milliseconds behind, and a person waits for the answer. */
const pollsMax = 20;
const pollEveryMs = 25;
/** A replica that is away, late or hangs is left alone for this long, so that not every read waits for it. */
const restMs = 10_000;

export function openReads(options: ReadsOptions): Reads {
  const { primary, replicaUrl } = options;
  const onPrimary: Reading = { read: (work) => work(primary) };
  if (replicaUrl === null) return { begin: async () => onPrimary, close: async () => undefined };

  const { poolSize, clock, schedule, logger } = options;
  const replica = openDatabase({
    url: replicaUrl,
    poolSize,
    connectTimeoutMs: answerMsMax,
    applicationName: 'assay api replica',
    onIdleError: (error) => logger.warn({ err: error }, 'an idle connection to the replica broke'),
  });
  let restsUntil = 0;
  const giveUp = (words: string, error?: unknown) => {
    restsUntil = clock.steadyMs() + restMs;
    logger.warn({ err: error }, `${words}; the primary answers for ten seconds`);
  };

  /** Whether the replica has replayed the log up to this position, now or soon. */
  async function catchesUp(position: string): Promise<boolean> {
    // pg takes this limit for one query, but its types know it only for all.
    const question: pg.QueryConfig & { readonly query_timeout: number } = {
      text: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there',
      values: [position],
      query_timeout: answerMsMax,
    };
    for (let poll = 0; poll < pollsMax; poll += 1) {
      if (poll > 0) await new Promise<void>((resolve) => schedule(resolve, pollEveryMs));
      const { rows } = await replica.pool.query<{ is_there: boolean | null }>(question);
      if (rows[0]?.is_there) return true;
    }
    return false;
  }

  /** Takes the connections of a read away when it hangs, because the pool would otherwise run out of them. */
  async function readInTime<Result>(work: (source: ReadSource) => Promise<Result>): Promise<Result> {
    const { source, destroyConnections } = borrowFrom(replica.pool);
    let callOff: () => void = () => undefined;
    const isOver = new Promise<never>((_resolve, reject) => {
      callOff = schedule(() => reject(new ReadHangs()), readMsMax);
    });
    try {
      return await Promise.race([work(source), isOver]);
    } catch (error) {
      if (error instanceof ReadHangs) destroyConnections();
      throw error;
    } finally {
      callOff();
    }
  }

  function onReplica(): Reading {
    let isLost = false;
    return {
      read: async (work) => {
        if (isLost) return work(primary);
        try {
          return await readInTime(work);
        } catch (error) {
          if (error instanceof AppError) throw error;
          isLost = true;
          if (error instanceof ReadHangs) giveUp('a read at the replica hangs');
          // Also when the primary removed rows that a read at the replica still needs, so this is no reason to rest.
          else logger.warn({ err: error }, 'a read at the replica failed; the primary repeats it');
          return work(primary);
        }
      },
    };
  }

  return {
    begin: async () => {
      if (clock.steadyMs() < restsUntil) return onPrimary;
      // Of the inserted log, because a commit may be seen before its log is flushed.
      const { rows } = await primary.pool.query<{ position: string }>(
        'select pg_current_wal_insert_lsn()::text as position',
      );
      try {
        if (await catchesUp(rows[0]?.position ?? '')) return onReplica();
        giveUp('the replica is late');
      } catch (error) {
        giveUp('the replica cannot be used', error);
      }
      return onPrimary;
    },
    close: () => replica.close(),
  };
}

class ReadHangs extends Error {}

/** The connections of one read. */
function borrowFrom(pool: pg.Pool): { source: ReadSource; destroyConnections: () => void } {
  const releases: pg.PoolClient['release'][] = [];
  const connect = async () => {
    const client = await pool.connect();
    // The pool gives a client a new one each time, so this one cannot end a connection that another read has by now.
    releases.push(client.release);
    return client;
  };
  const kyselyPool = { options: pool.options, connect, end: async () => undefined };
  return {
    source: {
      db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: kyselyPool }) }),
      pool: { connect },
    },
    destroyConnections: () => {
      for (const release of releases) {
        try {
          release(true);
        } catch {
          // The read has already given it back.
        }
      }
    },
  };
}
