import type { TestDatabase } from './database.ts';

/** The schema in which a test puts what only the replica shows. */
export const replicaSchema = 'replica';

/**
 * Lets a second pool of the same database look like a streaming replica. Its functions and tables hide those of the same name.
 * At first it has replayed everything.
 */
export async function createReplicaLike({ pool, url }: TestDatabase) {
  await pool.query(`
    create schema ${replicaSchema};
    create table ${replicaSchema}.log (replayed pg_lsn not null);
    insert into ${replicaSchema}.log values ('FFFFFFFF/FFFFFFFF');
    create function ${replicaSchema}.pg_is_in_recovery() returns boolean return true;
    create function ${replicaSchema}.pg_last_wal_replay_lsn() returns pg_lsn
      begin atomic select replayed from ${replicaSchema}.log; end`);
  const address = new URL(url);
  address.searchParams.set(
    'options',
    `-c search_path=${replicaSchema},public,pg_catalog -c default_transaction_read_only=on`,
  );
  return {
    url: address.href,
    /** `0/0` is far behind. */
    replayTo: async (position: '0/0' | 'FFFFFFFF/FFFFFFFF') => {
      await pool.query(`update ${replicaSchema}.log set replayed = $1`, [position]);
    },
  };
}
