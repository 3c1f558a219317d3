import type { PageQuery } from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import type { ListPlace } from './list-place.ts';
import {
  holdingStatuses,
  type ListStatus,
  resultStatuses,
  statusesBefore,
  visibleStatuses,
} from './list-status.ts';

// Each kind has a table of its own; these statements use the columns that all of them have.

const tableOf = ({ table }: { readonly table: string }) => sql.table(table);
const columnsOf = ({ columns }: { readonly columns: readonly string[] }) =>
  sql.join(columns.map((column) => sql.ref(column)));

const isList = ({ ownerId, listId }: ListPlace, statuses: readonly ListStatus[]): RawBuilder<boolean> =>
  sql`owner_id = ${ownerId} and id = ${listId} and status = any(${statuses}::text[])`;

export async function findList<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  place: ListPlace,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columnsOf(kind)} from ${tableOf(kind)} where ${isList(place, visibleStatuses)}`.execute(db);
  return rows[0];
}

export function findLists<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  ownerId: string,
  page: PageQuery,
) {
  const newestFirst = db
    .selectFrom(sql<ListHead & { owner_id: string }>`${tableOf(kind)}`.as('list'))
    .select(kind.columns.map((column) => sql.ref(column).as(column)))
    .where('owner_id', '=', ownerId)
    .where('status', 'in', visibleStatuses)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .$castTo<Row>();
  return findPage(newestFirst, page);
}

export async function renameListRow<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  place: ListPlace,
  name: string,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    update ${tableOf(kind)} set name = ${name} where ${isList(place, visibleStatuses)}
    returning ${columnsOf(kind)}`.execute(db);
  return rows[0];
}

/** Locks a list that customers see until the transaction ends, so that no result is written meanwhile. */
export async function lockList<Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  place: ListPlace,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columnsOf(kind)} from ${tableOf(kind)} where ${isList(place, visibleStatuses)} for update`.execute(
    tx,
  );
  return rows[0];
}

/** Locks the lists of a customer that still hold credits. */
export async function lockHoldingLists<Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  ownerId: string,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columnsOf(kind)} from ${tableOf(kind)}
    where owner_id = ${ownerId} and status = any(${holdingStatuses}::text[])
    order by id for update`.execute(tx);
  return rows;
}

export async function removeList<Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  place: ListPlace,
): Promise<void> {
  const isRemovable = isList(place, statusesBefore('DELETED'));
  await (kind.removal === 'at once'
    ? sql`delete from ${tableOf(kind)} where ${isRemovable}`
    : sql`update ${tableOf(kind)} set status = 'DELETED' where ${isRemovable}`
  ).execute(tx);
}

export async function completeListRow<Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  place: ListPlace,
  now: Date,
): Promise<void> {
  await sql`
    update ${tableOf(kind)} set status = 'COMPLETE', completed_at = ${now}
    where ${isList(place, statusesBefore('COMPLETE'))}`.execute(tx);
}

/**
 * Adds to the counters of a list, and says whether progress is due, which then counts as published. Nothing when the list
 * takes no results.
 */
export async function addToCounters<Row extends ListHead, Outcome extends string>(
  tx: Tx,
  kind: ListKind<Row, Outcome>,
  place: ListPlace,
  counts: Readonly<Record<Outcome, number>>,
  { now, dueSince }: { readonly now: Date; readonly dueSince: Date },
): Promise<(Row & { readonly is_progress_due: boolean }) | undefined> {
  const additions = (Object.keys(kind.counters) as Outcome[]).map((outcome) => {
    const counter = sql.ref(kind.counters[outcome]);
    return sql`${counter} = ${counter} + ${counts[outcome]}`;
  });
  const { rows } = await sql<Row & { is_progress_due: boolean }>`
    update ${tableOf(kind)} set ${sql.join(additions)},
      progress_told_at = case when progress_told_at > ${dueSince} then progress_told_at else ${now} end
    where ${isList(place, resultStatuses)}
    returning ${columnsOf(kind)}, progress_told_at = ${now} as is_progress_due`.execute(tx);
  return rows[0];
}

/** The list, if no progress was published since `writtenAt`; now it counts as published. */
export async function takeUnpublishedProgress<Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  place: ListPlace,
  { writtenAt, now }: { readonly writtenAt: Date; readonly now: Date },
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    update ${tableOf(kind)} set progress_told_at = ${now}
    where ${isList(place, resultStatuses)} and progress_told_at < ${writtenAt}
    returning ${columnsOf(kind)}`.execute(tx);
  return rows[0];
}
