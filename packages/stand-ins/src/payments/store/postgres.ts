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
  return { load: () => loadRows(client), save: (rows) => saveRows(client, rows), close: () => client.end() };
}

async function loadRows(client: pg.Client): Promise<SavedRow[]> {
  const { rows } = await client.query<{ kind: string; id: string; sequence: string; value: unknown }>(
    'SELECT kind, id, sequence, value FROM payments.objects ORDER BY sequence',
  );
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}

async function saveRows(client: pg.Client, rows: SavedRow[]): Promise<void> {
  const kept = rows.filter((row) => row.value !== null);
  const gone = rows.filter((row) => row.value === null);
  await client.query('BEGIN');
  try {
    await client.query(
      `INSERT INTO payments.objects (kind, id, sequence, value)
       SELECT kind, id, sequence, value
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::jsonb[]) AS row (kind, id, sequence, value)
       ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`,
      [
        kept.map((row) => row.kind),
        kept.map((row) => row.id),
        kept.map((row) => row.sequence),
        kept.map((row) => JSON.stringify(row.value)),
      ],
    );
    await client.query(
      `DELETE FROM payments.objects AS stored
       USING unnest($1::text[], $2::text[]) AS gone (kind, id)
       WHERE stored.kind = gone.kind AND stored.id = gone.id`,
      [gone.map((row) => row.kind), gone.map((row) => row.id)],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
