import type { PoolClient } from 'pg';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { fillAddressBlocks } from '../rows/address-blocks.store.ts';
import { copyUnknownRows, cutChunks } from '../rows/rows.store.ts';
import { copyRows, type RowLines } from './copy-rows.ts';
import { emailLists } from './email-lists.ts';
import { type Fill, publishRows } from './start-list.ts';

interface FillParts {
  readonly tx: Tx;
  readonly queue: JobQueue;
}

/** Copies the rows of a file to a list, on the connection of the transaction. */
export const fillFromFile =
  ({ tx, client, queue }: FillParts & { readonly client: PoolClient }, lines: RowLines): Fill =>
  async (run) => {
    const copied = await copyRows(client, run, lines);
    await fillAddressBlocks(tx, run);
    return publishRows(queue, tx, run, copied);
  };

/** Copies the unknown rows of another list, with their other cells and duplicates. */
export const fillFromUnknowns =
  ({ tx, queue }: FillParts, source: ListPlace, suppressed: readonly number[] = []): Fill =>
  async (run) => {
    const { ownerId, listId } = run;
    const layout = await emailLists.store.findLayout(tx, source).catch(ifDeleted);
    const copied = await copyUnknownRows(tx, { source, copy: { ownerId, listId }, suppressed });
    await fillAddressBlocks(tx, run);
    const chunkCount = await cutChunks(tx, run);
    // Rows are removed only after their list, so the copy is complete if the list still exists.
    await emailLists.results.lockComplete(tx, source).catch(ifDeleted);
    return publishRows(queue, tx, run, {
      header: layout.header,
      columnCount: layout.column_count,
      emailColumn: layout.email_column,
      isEven: layout.is_even,
      duplicated: copied.duplicated,
      malformed: 0,
      missing: 0,
      suppressed: copied.suppressed,
      totalEmails: copied.totalEmails,
      hasRealDomain: copied.hasRealDomain,
      chunkCount,
    });
  };

function ifDeleted(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'list_not_found')) throw error;
  throw new AppError('list_source_deleted');
}
