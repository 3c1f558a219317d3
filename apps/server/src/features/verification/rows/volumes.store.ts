import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

/** What one customer's lists of a time consist of. */
export interface Volume {
  readonly ownerId: AccountId;
  readonly total: number;
  readonly completed: number;
  readonly invalid: number;
  readonly malformed: number;
  readonly newestListId: string;
}

/** The customers with the most addresses in lists since a moment. */
export async function findVolumes(db: Db, since: Date, limit: number): Promise<Volume[]> {
  const { rows } = await sql<Volume>`
    select owner_id as "ownerId", sum(total_emails)::bigint as total,
      sum(valid_emails + invalid_emails + catch_all_emails + unknown_emails)::bigint as completed,
      sum(invalid_emails)::bigint as invalid, coalesce(sum(malformed_emails), 0)::bigint as malformed,
      (array_agg(id order by created_at desc))[1] as "newestListId"
    from lists
    where kind = 'emails' and created_at >= ${since} and not is_sandbox and status not in ('DRAFT', 'DELETED')
    group by owner_id order by total desc limit ${limit}`.execute(db);
  return rows;
}

interface SampledRow {
  readonly address: string;
  /** One bit for each of `ADDRESS_FLAGS`; null without a result. */
  readonly flags: number | null;
}

/** The first rows of a list. A join would read all results for each row until the table is analysed. */
export async function sampleRows(
  db: Db,
  { ownerId, listId }: { readonly ownerId: AccountId; readonly listId: string },
  limit: number,
): Promise<SampledRow[]> {
  const { rows } = await sql<SampledRow>`
    select email_address as address,
      (select flags from list_results result where result.owner_id = first.owner_id
        and result.list_id = first.list_id and result.row_number = first.row_number) as flags
    from (
      select owner_id, list_id, row_number, email_address from list_rows
      where owner_id = ${ownerId} and list_id = ${listId} order by row_number limit ${limit}) as first
    where email_address is not null`.execute(db);
  return rows;
}
