import pg from 'pg';
import type { Persistence, SavedRow } from './store.ts';

// Any number that nothing else on this database uses; it must never change.
const writerLock = 4_162_307_002;
const lockPatienceMs = 15_000;

const schema = `
  CREATE SCHEMA IF NOT EXISTS payments;
  CREATE TABLE IF NOT EXISTS payments.objects (
    kind     text   NOT NULL,
    id       text   NOT NULL,
    sequence bigint NOT NULL,
    value    jsonb  NOT NULL,
    PRIMARY KEY (kind, id)
  );
`;

const saveRows = `
  WITH changed AS (
    SELECT * FROM jsonb_to_recordset($1) AS row (kind text, id text, sequence bigint, value jsonb)
  ), gone AS (
    DELETE FROM payments.objects AS stored USING changed
    WHERE stored.kind = changed.kind AND stored.id = changed.id AND changed.value IS NULL
  )
  INSERT INTO payments.objects (kind, id, sequence, value)
  SELECT kind, id, sequence, value FROM changed WHERE value IS NOT NULL
  ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value
`;

/**
 * Rows in PostgreSQL, schema `payments`. The stand-in works from memory, so only one may write at a time: a lock that
 * PostgreSQL drops by itself when our connection ends keeps a second one out.
 */
export async function openPostgres(databaseUrl: string): Promise<Persistence> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'assay-payments' });
  // A connection that breaks shows at the next query; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET lock_timeout = ${lockPatienceMs}`);
    await client.query('SELECT pg_advisory_lock($1)', [writerLock]);
    await client.query(schema);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    load: async () => {
      const columns = 'kind, id, sequence::float8 AS sequence, value';
      const found = await client.query<SavedRow>(`SELECT ${columns} FROM payments.objects ORDER BY sequence`);
      return found.rows;
    },
    save: async (rows) => {
      await client.query(saveRows, [JSON.stringify(rows)]);
    },
    close: () => client.end(),
  };
}
