import { Kysely } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { BoundedPostgresDialect } from './bounded-transactions.ts';
import type { Tx } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Runs work in a transaction and hands it the connection too, which COPY needs. A failure closes the connection, which
 * ends a COPY that is under way and the transaction with it.
 */
export async function runOnClient<Result>(
  pool: Pool,
  work: (tx: Tx, client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const tx = await new Kysely<Tables>({ dialect: onlyOn(pool, client) }).startTransaction().execute();
    const result = await work(tx, client);
    await tx.commit().execute();
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

function onlyOn({ options }: Pool, client: PoolClient): BoundedPostgresDialect {
  const connection = {
    query: client.query.bind(client) as never,
    release: () => undefined,
  };
  return new BoundedPostgresDialect({
    pool: { options, connect: async () => connection, end: async () => undefined },
  });
}
