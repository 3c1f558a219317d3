import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { filledStatuses } from '../../lists/index.ts';
import { isPartitionMissing, partitionOf } from '../rows/large-lists.store.ts';
import { type AddressPack, type RowPacker, rowsIn } from './packed-rows.ts';

export interface AddressRun {
  readonly id: string;
  readonly listIds: readonly string[];
  readonly packCount: number;
}

/** The lists whose rows are in no run yet, without those whose results are all older than `since`. */
export async function findListsWithoutRun(db: Db, ownerId: AccountId, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from lists
    where kind = 'emails' and owner_id = ${ownerId} and not is_sandbox and status = any(${filledStatuses}::text[])
      and (completed_at is null or completed_at >= ${since})
      and id not in (select unnest(list_ids) from address_runs where owner_id = ${ownerId})
    order by created_at, id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findRuns(db: Db, ownerId: AccountId): Promise<AddressRun[]> {
  const { rows } = await sql<AddressRun>`
    select id, list_ids as "listIds", pack_count as "packCount" from address_runs
    where owner_id = ${ownerId} order by id`.execute(db);
  return rows;
}

const rowsAtATime = 20_000;

/** The addresses of a list, some in each step. A list that was deleted has none. */
export async function* readAddresses(
  db: Db,
  ownerId: AccountId,
  listId: string,
): AsyncGenerator<{ readonly rowNumber: number; readonly email: string }[]> {
  const table = sql.table(partitionOf('list_rows', listId));
  for (let last = -1; ; ) {
    // As one text: pg looks at every value of every row by itself.
    const { rows } = await sql<{ lines: string | null }>`
      select string_agg(row_number || ' ' || email_address, E'\n' order by row_number) as lines from (
        select row_number, email_address from ${table}
        where owner_id = ${ownerId} and list_id = ${listId} and row_number > ${last}
          and email_address is not null and first_row_number is null
        order by row_number limit ${sql.lit(rowsAtATime)}) page`
      .execute(db)
      .catch(ifGone<{ lines: string | null }>);
    const lines = rows[0]?.lines?.split('\n') ?? [];
    if (lines.length === 0) return;
    yield lines.map((line) => {
      const end = line.indexOf(' ');
      last = Number(line.slice(0, end));
      return { rowNumber: last, email: line.slice(end + 1) };
    });
  }
}

/** Keeps a run, unless one of its lists was deleted meanwhile. */
export async function insertRun(
  db: Db,
  ownerId: AccountId,
  listIds: readonly string[],
  packer: RowPacker,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const id = randomUUID();
    const { numAffectedRows = 0n } = await sql`
      insert into address_runs (owner_id, id, list_ids, row_count, pack_count)
      select ${ownerId}, ${id}, ${listIds}::uuid[], ${packer.size}, 0
      where (select count(*) from (select from lists where kind = 'emails' and owner_id = ${ownerId}
        and id = any(${listIds}::uuid[]) and status = any(${filledStatuses}::text[]) for share) list) = ${listIds.length}`.execute(
      tx,
    );
    if (numAffectedRows === 0n) return;
    let count = 0;
    let batch: AddressPack[] = [];
    for await (const pack of packer.packs()) {
      if (batch.push(pack) < packsAtATime) continue;
      await insertPacks(tx, { ownerId, id }, batch);
      count += batch.length;
      batch = [];
    }
    await insertPacks(tx, { ownerId, id }, batch);
    await sql`update address_runs set pack_count = ${count + batch.length}
      where owner_id = ${ownerId} and id = ${id}`.execute(tx);
  });
}

const packsAtATime = 500;

async function insertPacks(
  tx: Tx,
  { ownerId, id }: { readonly ownerId: AccountId; readonly id: string },
  packs: readonly AddressPack[],
): Promise<void> {
  await sql`
    insert into address_packs (owner_id, run_id, first_key, entries)
    select ${ownerId}, ${id}, first_key, entries
    from unnest(${numberArray(packs.map(({ firstKey }) => firstKey))}::bigint[],
      ${packs.map(({ entries }) => entries)}::bytea[]) as pack (first_key, entries)`.execute(tx);
}

/** Rows of a run whose key is wanted. */
export interface FoundRow {
  readonly listId: string;
  readonly rowNumber: number;
}

/** Looks for keys in a run: one by one if they are few, else through all of it. */
export async function* findRowsOfRun(
  db: Db,
  ownerId: AccountId,
  run: AddressRun,
  sortedKeys: Uint32Array,
): AsyncGenerator<FoundRow[]> {
  const packs =
    sortedKeys.length * readsPerLookup < run.packCount
      ? lookUpPacks(db, ownerId, run, sortedKeys)
      : readPacks(db, ownerId, run);
  for await (const page of packs) {
    yield page.flatMap((entries) =>
      rowsIn(entries, sortedKeys).map(({ list, rowNumber }) => ({
        listId: run.listIds[list] as string,
        rowNumber,
      })),
    );
  }
}

/** A pack that is looked up costs as much as so many that are next to each other. */
const readsPerLookup = 4;
/** All their rows may be wanted. */
const packsPerPage = 500;

async function* readPacks(db: Db, ownerId: AccountId, run: AddressRun): AsyncGenerator<Buffer[]> {
  for (let last = -1; ; ) {
    const { rows } = await sql<{ firstKey: number; entries: Buffer }>`
      select first_key as "firstKey", entries from address_packs
      where owner_id = ${ownerId} and run_id = ${run.id} and first_key > ${last}
      order by first_key limit ${sql.lit(packsPerPage)}`.execute(db);
    if (rows.length === 0) return;
    yield rows.map(({ entries }) => entries);
    last = rows.at(-1)?.firstKey ?? last;
  }
}

async function* lookUpPacks(
  db: Db,
  ownerId: AccountId,
  run: AddressRun,
  keys: Uint32Array,
): AsyncGenerator<Buffer[]> {
  for (let from = 0; from < keys.length; from += packsPerPage) {
    const { rows } = await sql<{ entries: Buffer }>`
      select distinct on (pack.first_key) pack.entries
      from unnest(${numberArray(keys.subarray(from, from + packsPerPage))}::bigint[]) as wanted (key)
        cross join lateral (select first_key, entries from address_packs
          where owner_id = ${ownerId} and run_id = ${run.id} and first_key <= wanted.key
          order by first_key desc limit 1) pack`.execute(db);
    yield rows.map(({ entries }) => entries);
  }
}

/** A row with its result. */
export interface CheckedRow {
  readonly listId: string;
  readonly rowNumber: number;
  readonly email: string;
  readonly checkedAt: Date;
}

/** The results of rows of one partition. Rows in their order share pages of the table and of its indexes, which are read once then. */
export async function findCheckedRows(
  db: Db,
  ownerId: AccountId,
  rows: readonly FoundRow[],
): Promise<CheckedRow[]> {
  const [first] = rows;
  if (!first) return [];
  const partition = (table: 'list_rows' | 'list_results') => sql.table(partitionOf(table, first.listId));
  // The limits keep one search in each key per row, whatever PostgreSQL thinks of their number.
  const found = await sql<CheckedRow>`
    select wanted.list_id as "listId", wanted.row_number as "rowNumber", row.email_address as email,
      result.checked_at as "checkedAt"
    from unnest(${rows.map(({ listId }) => listId)}::uuid[], ${numberArray(rows.map(({ rowNumber }) => rowNumber))}::int[])
        as wanted (list_id, row_number)
      cross join lateral (select checked_at from ${partition('list_results')} result
        where owner_id = ${ownerId} and result.list_id = wanted.list_id and result.row_number = wanted.row_number limit 1) result
      cross join lateral (select email_address from ${partition('list_rows')} row
        where owner_id = ${ownerId} and row.list_id = wanted.list_id and row.row_number = wanted.row_number limit 1) row`
    .execute(db)
    .catch(ifGone<CheckedRow>);
  return found.rows;
}

export async function removeRunsOf(db: Db, ownerId: AccountId, listId: string): Promise<void> {
  await sql`delete from address_runs where owner_id = ${ownerId} and ${listId}::uuid = any(list_ids)`.execute(
    db,
  );
}

/** The list was deleted, and its partition with it. */
function ifGone<Row>(error: unknown): { rows: Row[] } {
  if (!isPartitionMissing(error)) throw error;
  return { rows: [] };
}
