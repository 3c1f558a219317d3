import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool, PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { StartedJob } from '../../../platform/reading/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { partitionOf } from './large-lists.ts';
import type { WrittenRows } from './row-lines.ts';

export type CopiedRows = Omit<WrittenRows, 'kind' | 'chunkLines'>;

/**
 * Copies the rows of a file, and their chunks, to a draft. Null if columns that looked like ours turn out to be the
 * customer's own.
 */
export async function copyRows(
  pool: Pool,
  { listId }: ListPlace,
  { output, result }: StartedJob<WrittenRows | { readonly kind: 'foreign result' }>,
): Promise<CopiedRows | null> {
  let failure: Error | undefined;
  // The file may wait long for a thread, and a connection that waits with it is missing elsewhere.
  const lines = await startedOutput(output);
  const client = await pool.connect().catch((error) => {
    output.destroy();
    throw error;
  });
  try {
    // Into the partition, because a long COPY would keep the whole table locked against dropping others.
    await copyLines(client, partitionOf('list_rows', listId), rowColumns, lines);
    const written = await result;
    if (written.kind === 'foreign result') return null;
    const { chunkLines, kind: _, ...copied } = written;
    await copyLines(client, 'list_chunks', chunkColumns, Readable.from([chunkLines]));
    return copied;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // Closes a connection whose COPY failed instead of returning it to the pool.
    client.release(failure);
  }
}

/** The same lines, once the first of them is there. */
async function startedOutput(output: Readable): Promise<Readable> {
  const pieces = output[Symbol.asyncIterator]();
  const first = await pieces.next();
  return Readable.from(
    (async function* () {
      if (first.done) return;
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => pieces };
    })(),
  );
}

const rowColumns = 'owner_id, list_id, row_number, cells, email_address, first_row_number';
const chunkColumns = 'owner_id, list_id, chunk_number, row_numbers';

async function copyLines(client: PoolClient, table: string, columns: string, lines: Readable): Promise<void> {
  await pipeline(lines, client.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
}
