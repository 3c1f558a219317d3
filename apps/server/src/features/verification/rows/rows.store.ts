import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import type { ListPlace } from '../../lists/index.ts';
import { chunkLength } from './chunk-plan.ts';
import { partitionOf } from './large-lists.store.ts';

interface CopiedUnknowns {
  readonly totalEmails: number;
  readonly duplicated: number;
  readonly suppressed: number;
  /** Whether some address is outside `.test`, so that real mail hosts will be asked. */
  readonly hasRealDomain: boolean;
}

/**
 * Copies the unknown rows of a list, and their duplicates, to another list. They keep their row numbers. Those with a suppressed address
 * are copied without it.
 */
export async function copyUnknownRows(
  db: Db,
  {
    source,
    copy,
    suppressed,
  }: { readonly source: ListPlace; readonly copy: ListPlace; readonly suppressed: readonly number[] },
): Promise<CopiedUnknowns> {
  const isLeftOut =
    suppressed.length === 0
      ? sql`false`
      : sql`coalesce(first_row_number, row_number) = any(${numberArray(suppressed)}::bigint[])`;
  // A subquery per row, which always uses the key of the results. For a join, the planner chooses badly until a table
  // that has just grown by a million rows is analysed.
  const { rows } = await sql<CopiedUnknowns>`
    with copied as (
      insert into ${sql.table(partitionOf('list_rows', copy.listId))} (owner_id, list_id, row_number, cells, email_address, first_row_number, is_suppressed)
      select owner_id, ${copy.listId}, row_number, cells, case when ${isLeftOut} then null else email_address end,
        case when ${isLeftOut} then null else first_row_number end, case when ${isLeftOut} then true end
      from list_rows row
      where owner_id = ${source.ownerId} and list_id = ${source.listId} and email_address is not null
        and (select verdict from list_results result
          where result.owner_id = row.owner_id and result.list_id = row.list_id
            and result.row_number = coalesce(row.first_row_number, row.row_number)) = 'UNKNOWN'
      returning email_address, first_row_number, is_suppressed
    )
    select count(*) filter (where first_row_number is null and is_suppressed is null) as "totalEmails",
      count(*) filter (where is_suppressed) as suppressed,
      count(*) filter (where first_row_number is not null) as duplicated,
      coalesce(bool_or(lower(email_address) not like '%.test'), false) as "hasRealDomain"
    from copied`.execute(db);
  return rows[0] ?? { totalEmails: 0, duplicated: 0, suppressed: 0, hasRealDomain: false };
}

/** Cuts the rows of a list into chunks, sorted by domain. Returns the number of chunks. */
export async function cutChunks(db: Db, { ownerId, listId }: ListPlace): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into list_chunks (owner_id, list_id, chunk_number, row_numbers)
    select ${ownerId}, ${listId}, chunk_number, array_agg(row_number order by place)
    from (
      select row_number, place, ((place - 1) / ${chunkLength})::int as chunk_number
      from (
        select row_number,
          row_number() over (order by lower(substring(email_address from '[^@]*$')), row_number) as place
        from list_rows
        where owner_id = ${ownerId} and list_id = ${listId} and email_address is not null and first_row_number is null
      ) ranked
    ) cut
    group by chunk_number`.execute(db);
  return Number(numAffectedRows);
}

/** The number of chunks, which are numbered from 0. */
export async function countChunks(db: Db, { ownerId, listId }: ListPlace): Promise<number> {
  const { count } = await db
    .selectFrom('list_chunks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .executeTakeFirstOrThrow();
  return count;
}

/** The highest row number of a list; -1 if it has no rows. */
export async function findLastRow(db: Db, { ownerId, listId }: ListPlace): Promise<number> {
  const last = await db
    .selectFrom('list_rows')
    .select('row_number')
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .orderBy('row_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.row_number ?? -1;
}

/** Unknown rows of a list from one row number on, without their duplicates. */
export async function findUnknownAddresses(
  db: Db,
  { ownerId, listId }: ListPlace,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ row_number: number; email_address: string }[]> {
  const { rows } = await sql<{ row_number: number; email_address: string }>`
    select row_number, email_address from list_rows row
    where owner_id = ${ownerId} and list_id = ${listId} and row_number > ${after}
      and email_address is not null and first_row_number is null
      and (select verdict from list_results result where result.owner_id = row.owner_id
        and result.list_id = row.list_id and result.row_number = row.row_number) = 'UNKNOWN'
    order by row_number limit ${limit}`.execute(db);
  return rows;
}

const rowColumns = 'owner_id, list_id, row_number, cells, email_address, first_row_number';

/** Copies rows as COPY reads them. Into the partition, because a long COPY would keep the whole table locked against dropping others. */
export function copyRowLines(
  client: PoolClient,
  listId: string,
  { lines, hasSuppressed }: { readonly lines: AsyncIterable<Buffer>; readonly hasSuppressed: boolean },
): Promise<void> {
  const columns = hasSuppressed ? `${rowColumns}, is_suppressed` : rowColumns;
  return copyLines(client, `${partitionOf('list_rows', listId)} (${columns})`, lines);
}

export const copyChunkLines = (client: PoolClient, lines: Uint8Array): Promise<void> =>
  copyLines(client, 'list_chunks (owner_id, list_id, chunk_number, row_numbers)', [lines]);

const copyLines = (
  client: PoolClient,
  target: string,
  lines: AsyncIterable<Buffer> | Iterable<Uint8Array>,
): Promise<void> => pipeline(Readable.from(lines), client.query(copyFrom(`copy ${target} from stdin`)));
