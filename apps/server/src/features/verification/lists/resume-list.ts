import type { Db } from '../../../platform/database/database.ts';
import { readDatabaseTime } from '../../../platform/database/database-time.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { jobsOfWaiting, sortOpenRows } from '../../lists/index.ts';
import { countChunks } from '../rows/rows.store.ts';
import { findChunkRows, findRowsToVerify } from '../rows/work.store.ts';
import { type ResumePayload, resumeListJob, sandboxEgress, verifyDeferredJob } from '../verification.jobs.ts';
import { emailLists } from './email-lists.ts';
import { enqueueChunks } from './enqueue-chunks.ts';

interface ResumeParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly egress: string;
}

/** 25,000 rows. A list of a million takes 40 jobs. */
const chunksAtOnce = 100;

/**
 * Enqueues the open rows of the next chunks, and the job for those after them. Deferred rows keep their time,
 * their patience and their number of attempts. Chunks without an open row get no job.
 */
export async function resumeList(
  { db, queue, egress }: ResumeParts,
  { ownerId, listId, run, fromChunk }: ResumePayload,
): Promise<void> {
  const place = { ownerId, listId };
  const list = await emailLists.answers.find(db, place);
  if (list?.status !== 'PENDING' || list.run_number !== run) return;
  const chunks = await findChunkRows(db, place, fromChunk, chunksAtOnce);
  const last = chunks.at(-1);
  if (!last) return;

  const rowNumbers = chunks.flatMap(({ row_numbers }) => row_numbers);
  const open = await findRowsToVerify(db, { ...place, run }, rowNumbers);
  const openNumbers = open.map(({ rowNumber }) => rowNumber);
  const { waiting, others } = await sortOpenRows(db, place, run, openNumbers);
  const begun = chunks.filter(({ row_numbers }) => row_numbers.some((rowNumber) => others.has(rowNumber)));
  await db.transaction().execute(async (tx) => {
    if (waiting.length > 0) {
      const job = verifyDeferredJob(list.is_sandbox ? sandboxEgress : egress);
      const jobs = jobsOfWaiting(waiting, await readDatabaseTime(tx), (rows) => ({ ...place, run, ...rows }));
      await queue.enqueueMany(tx, job, jobs);
      await emailLists.results.deferRows(tx, place, run, waiting);
    }
    if (begun.length > 0) {
      const chunkNumbers = begun.map(({ chunk_number }) => chunk_number);
      await enqueueChunks(queue, tx, place, {
        ...list,
        chunkNumbers,
        chunkCount: await countChunks(tx, place),
      });
    }
    if (chunks.length === chunksAtOnce)
      await queue.enqueue(tx, resumeListJob, { ...place, run, fromChunk: last.chunk_number + 1 });
  });
}
