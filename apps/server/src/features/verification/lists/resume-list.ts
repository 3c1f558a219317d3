import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { findWaitingRows, type WaitingRow } from '../../lists/index.ts';
import { type ResumePayload, resumeListJob, sandboxEgress, verifyDeferredJob } from '../verification.jobs.ts';
import { emailLists } from './email-lists.ts';
import { countChunks, enqueueChunks } from './enqueue-chunks.ts';
import { findChunkRows, findRowsToVerify } from './work.store.ts';

interface ResumeParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly egress: string;
}

/** 25,000 rows. A list of a million takes 40 jobs. */
const chunksAtOnce = 100;

/**
 * Enqueues the open rows of the next chunks, and the job for those after them. Rows that hosts have put off keep their time,
 * their patience and their number of attempts. Chunks without an open row get no job.
 */
export async function resumeList(
  { db, clock, queue, egress }: ResumeParts,
  { ownerId, listId, run, fromChunk }: ResumePayload,
): Promise<void> {
  const place = { ownerId, listId };
  const list = await emailLists.find(db, place);
  if (list?.status !== 'PENDING' || list.run_number !== run) return;
  const chunks = await findChunkRows(db, place, fromChunk, chunksAtOnce);
  const last = chunks.at(-1);
  if (!last) return;

  const rowNumbers = chunks.flatMap(({ row_numbers }) => row_numbers);
  const open = new Set(
    (await findRowsToVerify(db, { ...place, run }, rowNumbers)).map(({ rowNumber }) => rowNumber),
  );
  // A worker that died after its transaction leaves waits of this run, with their jobs.
  for (const { row } of await findWaitingRows(db, place, { run }, rowNumbers)) open.delete(row.rowNumber);
  const waiting = (await findWaitingRows(db, place, { run, isEarlier: true }, rowNumbers)).filter(({ row }) =>
    open.delete(row.rowNumber),
  );
  const begun = chunks.filter(({ row_numbers }) => row_numbers.some((rowNumber) => open.has(rowNumber)));
  await db.transaction().execute(async (tx) => {
    if (waiting.length > 0) {
      const job = verifyDeferredJob(list.is_sandbox ? sandboxEgress : egress);
      const jobs = jobsOf(waiting, clock.now(), (rows) => ({ ...place, run, ...rows }));
      await queue.enqueueMany(tx, job, jobs);
      await emailLists.putOff(tx, place, run, waiting);
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

interface DeferredRows {
  readonly rowNumbers: number[];
  readonly since: string;
  readonly attempts: number;
}

/** One job for the rows that share their times and attempts. */
function jobsOf<Payload>(
  waiting: readonly WaitingRow[],
  now: Date,
  payloadOf: (rows: DeferredRows) => Payload,
): { payload: Payload; startAfter: Date }[] {
  const groups = Map.groupBy(
    waiting,
    ({ until, row }) => `${until.getTime()} ${row.since.getTime()} ${row.attempts}`,
  );
  return [...groups.values()].map((group) => {
    const { until, row } = group[0] as WaitingRow;
    const rowNumbers = group.map((one) => one.row.rowNumber);
    return {
      payload: payloadOf({ rowNumbers, since: row.since.toISOString(), attempts: row.attempts }),
      startAfter: until > now ? until : now,
    };
  });
}
