import { sql } from 'kysely';
import { Batch } from '../../../platform/batch.ts';
import type { Db } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { findWaitingRows, type ListPlace, workedOnStatuses } from '../../lists/index.ts';

/** A row to verify, in the engine's form. */
export interface RowToVerify {
  readonly email: string;
  readonly rowNumber: number;
}

/** A run of a list. Rows are found only while this run goes on. */
export interface ListRun extends ListPlace {
  readonly run: number;
}

export interface WantedChunk extends ListRun {
  readonly chunkNumber: number;
  /** Whether a worker started it before, so that some rows may have results. */
  readonly wasBegun: boolean;
}

/** Finds the rows of a chunk that have no result yet. Jobs that start together share one query. */
export function createChunkFinder(db: Db): (chunk: WantedChunk) => Promise<RowToVerify[]> {
  const finding = new Batch({ call: (chunks: WantedChunk[]) => findChunks(db, chunks) });
  return async (chunk) => (await finding.add(chunk)).get(chunk) ?? [];
}

async function findChunks(db: Db, chunks: readonly WantedChunk[]): Promise<Map<WantedChunk, RowToVerify[]>> {
  const found = new Map<WantedChunk, RowToVerify[]>();
  const groups = Map.groupBy(chunks, ({ listId, run, wasBegun }) => `${listId} ${run} ${wasBegun}`);
  for (const [first, ...others] of groups.values()) {
    if (first)
      for (const [chunk, rows] of await findChunksOfList(db, [first, ...others])) found.set(chunk, rows);
  }
  return found;
}

async function findChunksOfList(
  db: Db,
  chunks: readonly [WantedChunk, ...WantedChunk[]],
): Promise<[WantedChunk, RowToVerify[]][]> {
  const [{ ownerId, listId, run, wasBegun }] = chunks;
  const stored = await db
    .selectFrom('list_chunks')
    .select(['chunk_number', 'row_numbers'])
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where(sql<boolean>`chunk_number = any(${chunks.map(({ chunkNumber }) => chunkNumber)}::int[])`)
    .execute();
  const rowNumbers = new Map(stored.map((chunk) => [chunk.chunk_number, chunk.row_numbers]));
  const find = wasBegun ? findRowsOfChunks : findRows;
  const rows = await find(
    db,
    { ownerId, listId, run },
    stored.flatMap(({ row_numbers }) => row_numbers),
  );
  const byNumber = new Map(rows.map((row) => [row.rowNumber, row]));
  return chunks.map((chunk) => [
    chunk,
    (rowNumbers.get(chunk.chunkNumber) ?? []).flatMap((rowNumber) => byNumber.get(rowNumber) ?? []),
  ]);
}

/** The chunks of a list from one on, with their rows. */
export const findChunkRows = (db: Db, { ownerId, listId }: ListPlace, fromChunk: number, count: number) =>
  db
    .selectFrom('list_chunks')
    .select(['chunk_number', 'row_numbers'])
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('chunk_number', '>=', fromChunk)
    .orderBy('chunk_number')
    .limit(count)
    .execute();

/** A row that was deferred in this run belongs to the job that asks it again. */
async function findRowsOfChunks(
  db: Db,
  place: ListRun,
  rowNumbers: readonly number[],
): Promise<RowToVerify[]> {
  const open = await findRowsToVerify(db, place, rowNumbers);
  if (open.length === 0) return open;
  const waiting = await findWaitingRows(db, place, place, rowNumbers);
  const deferred = new Set(waiting.map(({ row }) => row.rowNumber));
  return open.filter(({ rowNumber }) => !deferred.has(rowNumber));
}

/** Those of the rows that have no result yet; none when the run is over, because the list was paused, finished or deleted. */
export async function findRowsToVerify(
  db: Db,
  place: ListRun,
  rowNumbers: readonly number[],
): Promise<RowToVerify[]> {
  const rows = await findRows(db, place, rowNumbers);
  const results = await db
    .selectFrom('list_results')
    .select('row_number')
    .where('owner_id', '=', place.ownerId)
    .where('list_id', '=', place.listId)
    .where(sql<boolean>`row_number = any(${numberArray(rowNumbers)}::int[])`)
    .execute();
  const done = new Set(results.map((result) => result.row_number));
  return rows.filter(({ rowNumber }) => !done.has(rowNumber));
}

// Finds every row by its whole key. For a join, the planner chooses badly until a table that has just grown by a million
// rows is analysed.
async function findRows(
  db: Db,
  { ownerId, listId, run }: ListRun,
  rowNumbers: readonly number[],
): Promise<RowToVerify[]> {
  // One value for all rows is faster to read. An address contains no line break.
  const { rows } = await sql<{ rows: string | null }>`
    select string_agg(row_number || ' ' || email_address, E'\\n') as rows
    from list_rows
    where owner_id = ${ownerId} and list_id = ${listId} and row_number = any(${numberArray(rowNumbers)}::int[])
      and email_address is not null
      and exists (select from lists where kind = 'emails' and owner_id = ${ownerId} and id = ${listId}
        and status = any(${workedOnStatuses}::text[]) and run_number = ${run})`.execute(db);
  const lines = rows[0]?.rows?.split('\n') ?? [];
  return lines.map((line) => {
    const at = line.indexOf(' ');
    return { rowNumber: Number(line.slice(0, at)), email: line.slice(at + 1) };
  });
}
