import type { Db } from '../database/database.ts';
import { publishEvent } from './publish.ts';

interface ListPlace {
  readonly ownerId: string;
  readonly listId: string;
}

/** For the customer's other tabs: the one that renamed or deleted the list has the answer to its call. */
export const tellListRenamed = (db: Db, { ownerId, listId }: ListPlace): Promise<void> =>
  publishEvent(db, ownerId, { event_type: 'list_changed', event_metadata: { list_id: listId } });

export const tellListDeleted = (db: Db, { ownerId, listId }: ListPlace): Promise<void> =>
  publishEvent(db, ownerId, { event_type: 'list_deleted', event_metadata: { list_id: listId } });
