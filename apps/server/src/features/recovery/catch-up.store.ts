import '../../platform/live-processes.tables.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Deletion } from './deletion-log.ts';

/** Which of the deleted single checks are there again. */
export async function findDeletedSingles(db: Db, deletions: readonly Deletion[]): Promise<Set<string>> {
  const singles = deletions.filter(({ kind }) => kind === 'single');
  const { rows } = await sql<{ id: string }>`
    select id from single_validations
    join unnest(${singles.map(({ ownerId }) => ownerId)}::uuid[], ${singles.map(({ id }) => id)}::uuid[])
      as deleted (owner_id, id) using (owner_id, id)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The tables of kinds that are one row. */
const tables = {
  api_key: 'api_keys',
  scoped_api_key: 'scoped_api_keys',
  export_link: 'export_links',
  webhook: 'webhooks',
  outcome_feed: 'outcome_feeds',
  outcome_mailbox: 'outcome_mailboxes',
  mailbox: 'mailbox_credentials',
} as const;

/** Returns false if the row is gone. */
export async function removeAgain(
  db: Db,
  kind: keyof typeof tables,
  { ownerId, id }: Pick<Deletion, 'ownerId' | 'id'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`delete from ${sql.table(tables[kind])} where owner_id = ${ownerId} and id = ${id}`.execute(db);
  return numAffectedRows > 0n;
}

/** Returns false if the key is gone, or has the new hash in a backup from after the replacement: then it stays. */
export async function removeReplacedKey(
  db: Db,
  { ownerId, id, replacedHash }: Pick<Deletion, 'ownerId' | 'id' | 'replacedHash'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from scoped_api_keys
    where owner_id = ${ownerId} and id = ${id} and key_hash = ${replacedHash}`.execute(db);
  return numAffectedRows > 0n;
}

/** Forgets the processes of the moment of the backup, and that a restore is under way. */
export async function endCatchUp(db: Db): Promise<void> {
  await db.deleteFrom('live_processes').execute();
  await db.deleteFrom('unfinished_restores').execute();
}

export async function isRestoreUnfinished(db: Db): Promise<boolean> {
  return (await db.selectFrom('unfinished_restores').select('started_at').executeTakeFirst()) !== undefined;
}
