import type { PageQuery, Verdict } from '@assay/contract';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { findPage } from '../../../platform/database/find-page.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { type ListPlace, statusesBefore, visibleStatuses } from '../../lists/index.ts';
import { emailListColumns } from './email-lists.ts';
import { findDetail } from './evidence.store.ts';
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
    readonly delimiter: string;
    readonly isSandbox: boolean;
    readonly now: Date;
  },
): Promise<void> {
  await db
    .insertInto('validation_lists')
    .values({
      owner_id: list.ownerId,
      id: list.listId,
      name: list.name,
      status: 'DRAFT',
      is_sandbox: list.isSandbox,
      delimiter: list.delimiter,
      header: null,
      created_at: list.now,
    })
    .execute();
}

export function publishDraft(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  contents: TableFacts & { readonly totalEmails: number },
) {
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
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .where('status', 'in', statusesBefore('PENDING'))
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

export interface EmailFilter {
  readonly search?: string | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
}

export function findListEmails(db: Db, place: ListPlace, filter: EmailFilter, page: PageQuery) {
  const matching = distinctEmails(db, place)
    .$if(Boolean(filter.search), (query) =>
      query.where('row.email_address', 'ilike', `%${escapePattern(filter.search ?? '')}%`),
    )
    .$if(filter.verdicts !== undefined, (query) =>
      query.where('result.verdict', 'in', [...(filter.verdicts ?? [])]),
    )
    .orderBy('row.row_number');
  return findPage(matching, page);
}

export async function findListEmail(db: Db, place: ListPlace, rowNumber: number) {
  const email = await distinctEmails(db, place)
    .select('result.batch_id')
    .where('row.row_number', '=', rowNumber)
    .executeTakeFirst();
  return email && { ...email, detail: await findDetail(db, place, email) };
}

/** None of a list that the customer cannot see. */
function distinctEmails(db: Db, { ownerId, listId }: ListPlace) {
  return db
    .selectFrom('validation_lists as list')
    .innerJoin('list_rows as row', (join) =>
      join.onRef('row.owner_id', '=', 'list.owner_id').onRef('row.list_id', '=', 'list.id'),
    )
    .leftJoin('list_results as result', (join) =>
      join
        .onRef('result.owner_id', '=', 'row.owner_id')
        .onRef('result.list_id', '=', 'row.list_id')
        .onRef('result.row_number', '=', 'row.row_number'),
    )
    .where('list.owner_id', '=', ownerId)
    .where('list.id', '=', listId)
    .where('list.status', 'in', visibleStatuses)
    .where('row.email_address', 'is not', null)
    .where('row.first_row_number', 'is', null)
    .select(['row.row_number', 'row.email_address', 'result.verdict', 'result.reason', 'list.is_sandbox']);
}

const escapePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
