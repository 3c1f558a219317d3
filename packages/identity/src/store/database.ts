import pg from 'pg';
import { schemaSteps } from './schema.ts';

export type Database = pg.Pool;
/** A pool or one of its connections: a query given a connection stays inside that connection's transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

// Any number that nothing else on this database uses; it must never change.
const schemaLock = 4_162_307_001;

export async function openDatabase(databaseUrl: string): Promise<Database> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 8, application_name: 'assay-identity' });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  database.on('error', () => {});
  try {
    await inLockedTransaction(database, applySchema);
  } catch (error) {
    await database.end();
    throw error;
  }
  return database;
}

/** Runs `work` in a transaction that only one process at a time can be inside of. */
export async function inLockedTransaction<T>(
  database: Database,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  const connection = await database.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT pg_advisory_xact_lock($1)', [schemaLock]);
    const result = await work(connection);
    await connection.query('COMMIT');
    connection.release();
    return result;
  } catch (error) {
    // Closing the connection rolls back, also when the connection itself is what failed.
    connection.release(true);
    throw error;
  }
}

async function applySchema(connection: Queryable): Promise<void> {
  await connection.query(`
    CREATE SCHEMA IF NOT EXISTS identity;
    CREATE TABLE IF NOT EXISTS identity.schema_steps (step integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
  `);
  const { rows } = await connection.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM identity.schema_steps',
  );
  const applied = rows[0]?.count ?? 0;
  for (const [index, sql] of schemaSteps.entries()) {
    if (index < applied) continue;
    await connection.query(sql);
    await connection.query('INSERT INTO identity.schema_steps (step) VALUES ($1)', [index]);
  }
}

const sweptAtOnceMax = 10_000;

/**
 * Deletes what has run out. Correctness never depends on it: every read checks the expiry itself. Several processes may do it
 * at once: each leaves the rows alone that another one deletes.
 */
export async function sweepExpired(database: Queryable, now: Date): Promise<void> {
  for (const table of ['records', 'attempts', 'pending_steps']) {
    await database.query(
      `DELETE FROM identity.${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM identity.${table} WHERE expires_at < $1 LIMIT ${sweptAtOnceMax} FOR UPDATE SKIP LOCKED))`,
      [now],
    );
  }
}
