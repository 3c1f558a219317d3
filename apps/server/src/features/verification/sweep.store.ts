import type { Db } from '../../platform/database/database.ts';
import type { ListPlace } from '../lists/index.ts';

/** Marks drafts that were created before a moment as deleted. */
export async function deleteDrafts(db: Db, before: Date): Promise<void> {
  await db
    .updateTable('lists')
    .set({ status: 'DELETED' })
    .where('kind', '=', 'emails')
    .where('status', '=', 'DRAFT')
    .where('created_at', '<', before)
    .execute();
}

export const findDeletedLists = (db: Db) =>
  db
    .selectFrom('lists')
    .select(['owner_id', 'id'])
    .where('kind', '=', 'emails')
    .where('status', '=', 'DELETED')
    .execute();

/** Removes a deleted list, whose rows must be gone. */
export async function removeDeletedList(db: Db, { ownerId, listId }: ListPlace): Promise<void> {
  await db
    .deleteFrom('lists')
    .where('kind', '=', 'emails')
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .where('status', '=', 'DELETED')
    .execute();
}

/** The uploads whose rows a job has yet to copy. */
export async function findUploadsInUse(db: Db): Promise<ReadonlySet<string>> {
  const uploads = await db
    .selectFrom('lists as list')
    .innerJoin('uploads as upload', (join) =>
      join.onRef('upload.owner_id', '=', 'list.owner_id').onRef('upload.list_id', '=', 'list.id'),
    )
    .select('upload.id')
    .where('list.kind', '=', 'emails')
    .where('list.status', '=', 'PREPARING')
    .execute();
  return new Set(uploads.map(({ id }) => id));
}
