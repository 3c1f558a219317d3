import type { RealtimeEvent } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/index.ts';
import type { ListPlace } from './list-place.ts';

/** Publishes that a list changed, or is gone. */
export const publishChange = (
  db: Db,
  { ownerId, listId }: ListPlace,
  type: 'list_changed' | 'list_deleted' = 'list_changed',
): Promise<void> => publishEvent(db, ownerId, newsOfList(listId, type));

export const newsOfList = (
  listId: string,
  type: RealtimeEvent['event_type'],
  news: RealtimeEvent['event_metadata'] = {},
): RealtimeEvent => ({ event_type: type, event_metadata: { list_id: listId, ...news } });
