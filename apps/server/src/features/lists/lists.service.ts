import type { ValidationList } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import { publishEvent } from '../../platform/events/index.ts';
import { countsOf, type ListHead, type ListKind, workOf } from './list-kind.ts';
import type { ListPlace } from './list-place.ts';
import { progressOf } from './list-progress.ts';
import { holdingStatuses, shownStatus } from './list-status.ts';
import { findList, lockList, removeList, renameListRow } from './lists.store.ts';

type ListFields = Pick<ValidationList, 'id' | 'name' | 'status' | 'progress' | 'creation_date'>;

/** What the API answers about lists of every kind. */
export const listFields = <Row extends ListHead>(kind: ListKind<Row>, list: Row): ListFields => ({
  id: list.id,
  name: list.name,
  status: shownStatus(list.status),
  progress: progressOf(kind, list),
  creation_date: list.created_at.toISOString(),
});

export async function requireList<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  place: ListPlace,
): Promise<Row> {
  const list = await findList(db, kind, place);
  if (!list) throw listNotFound(place);
  return list;
}

/** The list that was made of an upload. After it was deleted, the customer must send the file again. */
export async function requireListOfUpload<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  place: ListPlace,
  uploadId: string,
): Promise<Row> {
  const list = await findList(db, kind, place);
  if (!list) throw new AppError('upload_not_found', { uploadId });
  return list;
}

export async function renameList<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  place: ListPlace,
  name: string,
): Promise<Row> {
  const list = await renameListRow(db, kind, place, name);
  if (!list) throw listNotFound(place);
  await publishChange(db, place, 'list_changed');
  return list;
}

/** Deletes a list and stops its work: outcomes so far are paid for, the rest of the hold goes back. */
export function deleteList<Row extends ListHead>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  kind: ListKind<Row>,
  place: ListPlace,
): Promise<void> {
  return runTransaction(db, async (tx) => {
    const list = await lockList(tx, kind, place);
    if (!list) throw listNotFound(place);
    await removeList(tx, kind, place);
    await publishChange(tx, place, 'list_deleted');
    if (!holdingStatuses.includes(list.status)) return;

    const { total, completed } = countsOf(kind, list);
    await workOf(kind, place, list).count(async () => kind.onStop?.(tx, place, list, total - completed));
    await settleStopped(tx, kind, place, list, clock.now());
  });
}

/** Settles a list that ends before its last outcome. */
export const settleStopped = <Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  place: ListPlace,
  list: Row,
  now: Date,
): Promise<void> => workOf(kind, place, list).stop(tx, countsOf(kind, list).dueCredits, now);

const listNotFound = ({ listId }: ListPlace): AppError => new AppError('list_not_found', { listId });

/** For the other tabs of the customer: the tab that made the change has the answer to its call. */
const publishChange = (
  db: Db,
  { ownerId, listId }: ListPlace,
  change: 'list_changed' | 'list_deleted',
): Promise<void> => publishEvent(db, ownerId, { event_type: change, event_metadata: { list_id: listId } });
