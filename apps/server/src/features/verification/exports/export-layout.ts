import type { Db } from '../../../platform/database/database.ts';
import type { ListLayout, ListPlace } from '../../lists/index.ts';
import { hasOutcomes } from '../../outcomes/index.ts';
import { emailLists } from '../lists/email-lists.ts';

/** What an export needs to know of its list. */
export interface ExportLayout extends ListLayout {
  /** Whether mail for some address had an outcome, which then has a column. */
  readonly has_outcomes: boolean;
}

export async function findExportLayout(db: Db, place: ListPlace): Promise<ExportLayout> {
  const layout = await emailLists.store.findLayout(db, place);
  return { ...layout, has_outcomes: await hasOutcomes(db, place.ownerId, place.listId) };
}
