import type { ValidationList } from '@assay/contract';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import {
  type IdempotentCall,
  rememberAnswer,
  TwinWasQuicker,
} from '../../../platform/idempotency/idempotency.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { PayingKey } from '../../billing/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { countAsked } from '../metrics.store.ts';
import { createPartitions } from '../rows/large-lists.store.ts';
import { prepareListJob } from '../verification.jobs.ts';
import { type EmailListRow, emailLists, listAnswer } from './email-lists.ts';
import { enqueueChunks } from './enqueue-chunks.ts';
import type { TableFacts } from './table-notes.ts';

interface NewList extends ListPlace {
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

export interface PreparationRun extends ListPlace {
  readonly run: number;
  /** Counted before, and paid for. */
  readonly totalEmails: number;
}

interface ListStart {
  readonly list: NewList;
  readonly call: IdempotentCall | null;
  readonly apiKey: PayingKey | undefined;
}

/** Copies the rows of a list and publishes it, or lets a job do it. */
export type Fill = (run: PreparationRun) => Promise<EmailListRow | null>;

/** Inserts a list, fills it and holds its credits, all in the transaction of the call. */
export async function startList(
  tx: Tx,
  { list: { ownerId, listId, ...list }, call, apiKey }: ListStart,
  fill: Fill,
): Promise<ValidationList> {
  const place = { ownerId, listId };
  const inserted = await insertList(tx, place, list);
  const run = { ...place, run: inserted.run_number, totalEmails: list.totalEmails };
  const filled = (await fill(run)) ?? inserted;
  const { is_sandbox, created_at: askedAt, total_emails } = filled;
  if (!is_sandbox) await countAsked(tx, { ownerId, askedAt }, total_emails);
  // A list costs one credit at least. The job that counts a long file holds the others.
  await emailLists.results.workOf(place, filled, apiKey).hold(tx, Math.max(1, total_emails), list.now);
  const answer = listAnswer(filled);
  if (!(await rememberAnswer(tx, call, answer, list.now))) throw new TwinWasQuicker();
  return answer;
}

/** Inserts a list, and the place for its rows, which follow. One that is not counted yet gets that place with its counts. */
async function insertList(
  tx: Tx,
  place: ListPlace,
  list: Omit<NewList, keyof ListPlace>,
): Promise<EmailListRow> {
  if (list.totalEmails > 0) await createPartitions(tx, place.listId);
  return emailLists.store.insert(tx, place, {
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
  });
}

/** Leaves the rows of a list to a job, because they are too many for a call. */
export const fillLater =
  (queue: JobQueue, tx: Tx): Fill =>
  async ({ ownerId, listId, run }) => {
    await queue.enqueue(tx, prepareListJob, { ownerId, listId, run });
    return null;
  };

/** The preparation of a list ended meanwhile, because the list was deleted or another run began. */
export class PreparationOver extends Error {}

/** The rows of a list. The columns of lists that are older than these facts are not known. */
interface ListContents extends Omit<TableFacts, 'columnCount' | 'emailColumn'> {
  readonly columnCount: number | null;
  readonly emailColumn: number | null;
  readonly totalEmails: number;
  readonly hasRealDomain: boolean;
  readonly chunkCount: number;
}

/** Publishes a list whose rows are there, and enqueues its chunks unless its customer paused it meanwhile. */
export async function publishRows(
  queue: JobQueue,
  tx: Tx,
  run: PreparationRun,
  { chunkCount, ...contents }: ListContents,
): Promise<EmailListRow> {
  if (contents.totalEmails !== run.totalEmails)
    throw new AppError('list_not_prepared', { listId: run.listId });
  const published = await emailLists.store.publish(tx, run, {
    header: contents.header,
    column_count: contents.columnCount,
    email_column: contents.emailColumn,
    is_even: contents.isEven,
    duplicated_emails: contents.duplicated,
    malformed_emails: contents.malformed,
    missing_emails: contents.missing,
    suppressed_emails: contents.suppressed,
    has_real_domain: contents.hasRealDomain,
  });
  if (!published) throw new PreparationOver();
  const { ownerId, listId } = run;
  if (published.status === 'PENDING')
    await enqueueChunks(queue, tx, { ownerId, listId }, { ...published, chunkCount });
  return published;
}
