import pg from 'pg';

export type Database = pg.Pool;

// Any number that nothing else on this database uses; it must never change.
const schemaLock = 4_162_307_003;

/**
 * A grant is what a person allowed an application; it is valid while its row exists. Codes and tokens are kept as
 * hashes only: this database may be the product's own, in which no token may be readable.
 */
const schema = `
  CREATE SCHEMA IF NOT EXISTS mailboxes;
  CREATE TABLE IF NOT EXISTS mailboxes.grants (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    provider   text NOT NULL,
    client_id  text NOT NULL,
    address    text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (provider, client_id, address)
  );
  CREATE TABLE IF NOT EXISTS mailboxes.codes (
    hash           text PRIMARY KEY,
    grant_id       uuid NOT NULL REFERENCES mailboxes.grants ON DELETE CASCADE,
    redirect_uri   text NOT NULL,
    code_challenge text,
    scope          text NOT NULL,
    is_offline     boolean NOT NULL,
    expires_at     timestamptz NOT NULL,
    used_at        timestamptz
  );
  CREATE TABLE IF NOT EXISTS mailboxes.tokens (
    hash       text PRIMARY KEY,
    grant_id   uuid NOT NULL REFERENCES mailboxes.grants ON DELETE CASCADE,
    kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
    scope      text NOT NULL,
    expires_at timestamptz
  );
`;

export async function openDatabase(databaseUrl: string): Promise<Database> {
  const database = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    application_name: 'assay-mailboxes',
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  database.on('error', () => undefined);
  try {
    await applySchema(database);
  } catch (error) {
    await database.end();
    throw error;
  }
  return database;
}

/** One at a time: two that make the same schema together would refuse each other. */
async function applySchema(database: Database): Promise<void> {
  await database.query(`BEGIN; SELECT pg_advisory_xact_lock(${schemaLock}); ${schema} COMMIT;`);
}
