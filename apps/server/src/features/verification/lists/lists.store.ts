import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { type EmailListRow, emailListColumns } from './email-lists.ts';
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

export interface NewListRow extends ListPlace {
  readonly name: string;
  /** Null in the copy of a list that is older than this column. */
  readonly fileName: string | null;
  readonly delimiter: string;
  readonly isSandbox: boolean;
  /** The list whose unknown rows it gets. Without one, it is made of a file. */
  readonly sourceListId?: string;
  /** Of the file. */
  readonly withHeaders?: boolean;
  /** 0 for a list that is not counted yet. */
  readonly totalEmails: number;
  readonly rowsToCopy: number;
  readonly hasRealDomain: boolean;
  readonly now: Date;
}

/** Inserts a list, and the place for its rows, which follow. One that is not counted yet gets that place with its counts. */
export async function insertList(tx: Tx, list: NewListRow): Promise<EmailListRow> {
  if (list.totalEmails > 0) await createPartitions(tx, list.listId);
  return tx
    .insertInto('validation_lists')
    .values({
      owner_id: list.ownerId,
      id: list.listId,
      name: list.name,
      file_name: list.fileName,
      safe_emails: 0,
      status: 'PREPARING',
      is_sandbox: list.isSandbox,
      source_list_id: list.sourceListId ?? null,
      with_headers: list.withHeaders ?? null,
      rows_to_copy: list.rowsToCopy,
      rows_copied: 0,
      total_emails: list.totalEmails,
      has_real_domain: list.hasRealDomain,
      delimiter: list.delimiter,
      header: null,
      created_at: list.now,
    })
    .returning(emailListColumns)
    .executeTakeFirstOrThrow();
}

/** Notes what the file of a list holds, which was not known when the list was inserted. */
export async function setCounts(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  counts: Pick<NewListRow, 'totalEmails' | 'rowsToCopy' | 'withHeaders' | 'delimiter'>,
): Promise<void> {
  await tx
    .updateTable('validation_lists')
    .set({
      total_emails: counts.totalEmails,
      rows_to_copy: counts.rowsToCopy,
      with_headers: counts.withHeaders ?? null,
      delimiter: counts.delimiter,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .execute();
}

/** The same for a list that is made of another one. */
export async function setTotal(tx: Tx, { ownerId, listId }: ListPlace, totalEmails: number): Promise<void> {
  await tx
    .updateTable('validation_lists')
    .set({ total_emails: totalEmails })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .execute();
}

export interface PreparationRun extends ListPlace {
  readonly run: number;
  /** Counted before, and paid for. */
  readonly totalEmails: number;
}

/** Whether the first row of the file that a list is made of is a header. */
export async function findWithHeaders(db: Db, { ownerId, listId }: ListPlace): Promise<boolean> {
  const list = await db
    .selectFrom('validation_lists')
    .select('with_headers')
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .executeTakeFirst();
  return list?.with_headers ?? true;
}

/** The rows of a list. The columns of lists that are older than these facts are not known. */
export interface ListContents extends Omit<TableFacts, 'columnCount' | 'emailColumn'> {
  readonly columnCount: number | null;
  readonly emailColumn: number | null;
  readonly totalEmails: number;
  readonly hasRealDomain: boolean;
}

/** Ends the preparation of a list. Does nothing if this run of it is over. */
export function publishList(tx: Tx, { ownerId, listId, run }: PreparationRun, contents: ListContents) {
  return tx
    .updateTable('validation_lists')
    .set({
      status: sql`case when paused_at is null then 'PENDING' else 'PAUSED' end`,
      header: contents.header,
      column_count: contents.columnCount,
      email_column: contents.emailColumn,
      is_even: contents.isEven,
      duplicated_emails: contents.duplicated,
      malformed_emails: contents.malformed,
      missing_emails: contents.missing,
      suppressed_emails: contents.suppressed,
      has_real_domain: contents.hasRealDomain,
      rows_to_copy: null,
      rows_copied: null,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .where('status', '=', 'PREPARING')
    .where('run_number', '=', run)
    .returning(emailListColumns)
    .executeTakeFirst();
}
