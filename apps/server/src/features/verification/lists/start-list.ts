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
import { countAsked } from '../metrics.store.ts';
import { prepareListJob } from '../verification.jobs.ts';
import { type EmailListRow, emailLists, listAnswer } from './email-lists.ts';
import { enqueueChunks } from './enqueue-chunks.ts';
import {
  insertList,
  type ListContents,
  type NewListRow,
  type PreparationRun,
  publishList,
} from './lists.store.ts';

interface ListStart {
  readonly list: NewListRow;
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
  const inserted = await insertList(tx, { ...place, ...list });
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

/** Leaves the rows of a list to a job, because they are too many for a call. */
export const fillLater =
  (queue: JobQueue, tx: Tx): Fill =>
  async ({ ownerId, listId, run }) => {
    await queue.enqueue(tx, prepareListJob, { ownerId, listId, run });
    return null;
  };

/** The preparation of a list ended meanwhile, because the list was deleted or another run began. */
export class PreparationOver extends Error {}

/** Publishes a list whose rows are there, and enqueues its chunks unless its customer paused it meanwhile. */
export async function publishRows(
  queue: JobQueue,
  tx: Tx,
  run: PreparationRun,
  { chunkCount, ...contents }: ListContents & { readonly chunkCount: number },
): Promise<EmailListRow> {
  if (contents.totalEmails !== run.totalEmails)
    throw new AppError('list_not_prepared', { listId: run.listId });
  const published = await publishList(tx, run, contents);
  if (!published) throw new PreparationOver();
  const { ownerId, listId } = run;
  if (published.status === 'PENDING')
    await enqueueChunks(queue, tx, { ownerId, listId }, { ...published, chunkCount });
  return published;
}
