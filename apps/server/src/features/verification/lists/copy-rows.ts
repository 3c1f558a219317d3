import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { formatRow } from '../../../platform/csv/write-rows.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { FileRow } from '../files/classify-rows.ts';
import { ChunkPlan, chunkLength } from './chunk-plan.ts';
import { partitionOf } from './large-lists.ts';
import { type TableFacts, TableNotes } from './table-notes.ts';

interface CopiedFile {
  readonly delimiter: string;
  readonly emailColumn: number;
  readonly withHeaders: boolean;
  readonly emailsMax: number;
}

export interface CopiedRows extends TableFacts {
  readonly totalEmails: number;
  readonly chunkCount: number;
  readonly hasRealDomain: boolean;
}

/** Copies the rows of a file, and their chunks, to a draft. */
export async function copyRows(
  pool: Pool,
  place: ListPlace,
  rows: AsyncIterable<FileRow[]>,
  file: CopiedFile,
): Promise<CopiedRows> {
  const plan = new ChunkPlan(file.emailsMax);
  const table = new TableNotes(file.emailColumn);
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    // Into the partition, because a long COPY would keep the whole table locked against dropping others.
    const rowsTable = partitionOf('list_rows', place.listId);
    await copyLines(client, rowsTable, rowColumns, rowLines(place, rows, file, plan, table));
    const chunkCount = Math.ceil(plan.size / chunkLength);
    await copyLines(client, 'list_chunks', chunkColumns, chunkLines(place, plan));
    return { ...table.facts(), totalEmails: plan.size, chunkCount, hasRealDomain: plan.hasRealDomain };
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // Closes a connection whose COPY failed instead of returning it to the pool.
    client.release(failure);
  }
}

const rowColumns = 'owner_id, list_id, row_number, cells, email_address, first_row_number';
const chunkColumns = 'owner_id, list_id, chunk_number, row_numbers';

async function copyLines(
  client: PoolClient,
  table: string,
  columns: string,
  lines: AsyncGenerator<string> | Generator<string>,
): Promise<void> {
  await pipeline(Readable.from(lines), client.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
}

/** Lines in PostgreSQL's text format for COPY, many per piece. */
async function* rowLines(
  { ownerId, listId }: ListPlace,
  batches: AsyncIterable<FileRow[]>,
  { delimiter, withHeaders }: CopiedFile,
  plan: ChunkPlan,
  table: TableNotes,
): AsyncGenerator<string> {
  const key = `${ownerId}\t${listId}\t`;
  for await (const rows of batches) {
    let lines = '';
    for (const row of rows) {
      const cells = formatRow(row.cells, delimiter);
      if (withHeaders && row.rowNumber === 0) {
        table.addHeader(row, cells);
        continue;
      }
      table.addRow(row);
      if (row.emailAddress !== null && row.firstRowNumber === null) plan.add(row.rowNumber, row.domain);
      const address = row.emailAddress === null ? '\\N' : escapeText(row.emailAddress);
      lines += `${key}${row.rowNumber}\t${escapeText(cells)}\t${address}\t${row.firstRowNumber ?? '\\N'}\n`;
    }
    if (lines !== '') yield lines;
  }
}

function* chunkLines({ ownerId, listId }: ListPlace, plan: ChunkPlan): Generator<string> {
  let chunkNumber = 0;
  for (const rowNumbers of plan.cut(chunkLength)) {
    yield `${ownerId}\t${listId}\t${chunkNumber++}\t{${rowNumbers.join(',')}}\n`;
  }
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeText(value: string): string {
  return special.test(value)
    ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string)
    : value;
}
