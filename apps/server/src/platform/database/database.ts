import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import { BoundedPostgresDialect } from './bounded-transactions.ts';
import { FairPool } from './fair-pool.ts';
import { poolWithNamedStatements } from './named-statements.ts';
import type { Tables } from './tables.ts';
import { type WaitingLine, watchWaitingLine } from './waiting-line.ts';

export type Db = Kysely<Tables>;
/** Taken by what must not run outside a transaction. */
export type Tx = Transaction<Tables>;

export interface Database {
  readonly db: Db;
  /** For COPY and LISTEN, which need a connection to themselves. */
  readonly pool: pg.Pool;
  readonly waitingLine: WaitingLine;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Shown in pg_stat_activity, so that an operator sees which process holds a lock. */
  readonly applicationName: string;
  /**
   * Plans statements that run often once per connection: all of them, for the API, or those that match, for workers.
   * Needs connections that belong to one session, which those of a pooler do not.
   */
  readonly plansOnce?: boolean | RegExp;
  readonly connectTimeoutMs?: number;
  readonly idleTransactionMsMax?: number;
  /** Called when an idle connection broke. The pool replaces it by itself. */
  readonly onIdleError: (error: Error) => void;
}

// Credits and counts are bigint in the database and far below 2^53 in life.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new FairPool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    // Finds connections that fell silent. By default Linux begins to look after two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  pool.on('error', options.onIdleError);
  // The pool listens to idle connections only. One that breaks while in use, between two statements of a transaction,
  // tells its user at the next statement; without a listener of its own it would end the whole process first.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const statements = options.plansOnce ? poolWithNamedStatements(pool, options.plansOnce) : pool;
  const dialect = new BoundedPostgresDialect({ pool: statements }, options.idleTransactionMsMax);
  const db = new Kysely<Tables>({ dialect });
  // Kysely ends the pool only after a query of its own, and a pool that is left open keeps the process alive for 10 s.
  return { db, pool, waitingLine: watchWaitingLine(pool), close: () => pool.end() };
}
