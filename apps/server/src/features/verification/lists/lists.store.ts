import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { emailListColumns } from './email-lists.ts';
import { createPartitions } from './large-lists.ts';
import type { TableFacts } from './table-notes.ts';

/** How the customer's table was written, which exports need. Null in lists that are older than the column. */
export type ListLayout = Awaited<ReturnType<typeof findLayout>>;

export function findLayout(db: Db, { ownerId, listId }: ListPlace) {
  return db
    .selectFrom('validation_lists')
    .select(['delimiter', 'header', 'column_count', 'email_column', 'is_even'])
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .executeTakeFirstOrThrow(() => new AppError('list_not_found', { listId }));
}

export async function insertDraft(
  db: Db,
  list: ListPlace & {
    readonly name: string;
    /** Null in the copy of a list that is older than this column. */
    readonly fileName: string | null;
    readonly delimiter: string;
    readonly isSandbox: boolean;
    readonly sourceListId?: string;
    readonly now: Date;
  },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('validation_lists')
      .values({
        owner_id: list.ownerId,
        id: list.listId,
        name: list.name,
        file_name: list.fileName,
        safe_emails: 0,
        status: 'DRAFT',
        is_sandbox: list.isSandbox,
        source_list_id: list.sourceListId ?? null,
        delimiter: list.delimiter,
        header: null,
        created_at: list.now,
      })
      .execute();
    await createPartitions(tx, list.listId);
  });
}

/** The rows of a draft. The columns of lists that are older than these facts are not known. */
export interface DraftContents extends Omit<TableFacts, 'columnCount' | 'emailColumn'> {
  readonly columnCount: number | null;
  readonly emailColumn: number | null;
  readonly totalEmails: number;
  readonly hasRealDomain: boolean;
}

export function publishDraft(tx: Tx, { ownerId, listId }: ListPlace, contents: DraftContents) {
  return tx
    .updateTable('validation_lists')
    .set({
      status: 'PENDING',
      header: contents.header,
      column_count: contents.columnCount,
      email_column: contents.emailColumn,
      is_even: contents.isEven,
      total_emails: contents.totalEmails,
      duplicated_emails: contents.duplicated,
      malformed_emails: contents.malformed,
      missing_emails: contents.missing,
      has_real_domain: contents.hasRealDomain,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .where('status', '=', 'DRAFT')
    .returning(emailListColumns)
    .executeTakeFirstOrThrow();
}

/** The next sweep removes the rows. */
export async function discardDraft(db: Db, { ownerId, listId }: ListPlace): Promise<void> {
  await db
    .updateTable('validation_lists')
    .set({ status: 'DELETED' })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .where('status', '=', 'DRAFT')
    .execute();
}
