import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { isLockTimeout } from '../../../platform/database/lock-errors.ts';

/** Lists with this many addresses or more are large: they have partitions of their own. */
export const largeListEmails = 100_000;

/** The tables that have a partition for each large list. All other lists share one. See docs/decisions/lists-large-partitions.md. */
const partitionedTables = ['list_rows', 'list_results', 'list_address_blocks'] as const;
type PartitionedTable = (typeof partitionedTables)[number];

/** The partition of all other lists ends where these ids begin. Random ids never do. */
const idStart = 'ffffffff-ffff';
export const isLarge = (listId: string): boolean => listId.startsWith(`${idStart}-4`);

export function newListId(emailCount: number): string {
  const id = randomUUID();
  return emailCount < largeListEmails ? id : `${idStart}${id.slice(idStart.length)}`;
}

/** The partition that has the rows of a list. */
export const partitionOf = (table: PartitionedTable, listId: string): string =>
  isLarge(listId) ? `${table}_${listId.replaceAll('-', '')}` : `${table}_shared`;

/** Makes the partitions of a list if it is large. Waits for no reader or writer of the tables, and none waits for it. */
export async function createPartitions(tx: Tx, listId: string): Promise<void> {
  if (!isLarge(listId)) return;
  for (const table of partitionedTables) {
    const partition = sql.table(partitionOf(table, listId));
    await sql`create table ${partition} (like ${sql.table(table)} including all)`.execute(tx);
    await sql`alter table ${sql.table(table)} attach partition ${partition}
      for values from (${sql.lit(listId)}) to (${sql.lit(nextId(listId))})`.execute(tx);
  }
  const results = sql.table(partitionOf('list_results', listId));
  for (const column of filteredColumns) {
    await sql`create index on ${results} (${sql.ref(column)}, row_number)`.execute(tx);
  }
  // Most results have no flag, and need no place in an index then.
  await sql`create index on ${results} (flags, row_number) where flags <> 0`.execute(tx);
  // For the newest results first. Times only grow and many results share one, so it stays small.
  await sql`create index on ${results} (checked_at)`.execute(tx);
  const rows = sql.table(partitionOf('list_rows', listId));
  await sql`create index on ${rows} (row_number) include (email_address)`.execute(tx);
}

/** Reading all results of a large list for the few that match takes too long. */
const filteredColumns = ['verdict', 'reason', 'mx_provider'] as const;

const nextId = (listId: string): string => {
  const next = (BigInt(`0x${listId.replaceAll('-', '')}`) + 1n).toString(16);
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * Drops the partitions of large lists that were deleted, or whose customers were. Leaves those that are in use, for example
 * by a backup, for the next time.
 */
export async function dropPartitions(db: Db, signal: AbortSignal): Promise<void> {
  for (const table of partitionedTables) {
    for (const partition of await findDeleted(db, table)) {
      signal.throwIfAborted();
      await dropPartition(db, partition).catch(ignoreInUseOrGone);
    }
  }
}

async function findDeleted(db: Db, table: PartitionedTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select partition.relname as name
    from pg_inherits join pg_class partition on partition.oid = inhrelid
    where inhparent = ${table}::regclass and partition.relname <> ${`${table}_shared`}
      and not exists (select from lists list
        where kind = 'emails' and ${`${table}_`} || replace(list.id::text, '-', '') = partition.relname and list.status <> 'DELETED')`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/**
 * Emptying a partition gives its space back and locks nothing else. Dropping it also locks the whole table for a moment,
 * so this waits for that lock only briefly: others wait behind it.
 */
async function dropPartition(db: Db, partition: string): Promise<void> {
  const name = sql.table(partition);
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx);
    await sql`truncate ${name}`.execute(tx);
  });
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '200ms'`.execute(tx);
    await sql`drop table ${name}`.execute(tx);
  });
}

function ignoreInUseOrGone(error: unknown): void {
  if (!isPartitionMissing(error) && !isLockTimeout(error)) throw error;
}

/** Whether a statement named a partition that was dropped. */
export const isPartitionMissing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '42P01';

/** Whether a row was refused because its list was deleted, and its partition with it. */
export const isPartitionGone = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined;
