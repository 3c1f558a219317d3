import type { Tx } from '../../../platform/database/database.ts';
import { inTurn, type JobQueue } from '../../../platform/queue/index.ts';
import { findFirstPlace, type ListPlace } from '../../lists/index.ts';
import { verifyLongListJob, verifySandboxListJob, verifyShortListJob } from '../verification.jobs.ts';

/** Lists of up to this many chunks use the queue for short lists. */
const shortListChunksMax = 4;

interface ListChunks {
  /** Of the whole list. */
  readonly chunkCount: number;
  readonly is_sandbox: boolean;
  readonly run_number: number;
  /** All chunks unless given. */
  readonly chunkNumbers?: readonly number[];
}

/** Enqueues chunks of a list. */
export async function enqueueChunks(
  queue: JobQueue,
  tx: Tx,
  place: ListPlace,
  { chunkCount, is_sandbox, run_number: run, chunkNumbers = [...Array(chunkCount).keys()] }: ListChunks,
): Promise<void> {
  const paidJob = chunkCount <= shortListChunksMax ? verifyShortListJob : verifyLongListJob;
  const job = is_sandbox ? verifySandboxListJob : paidJob;
  const pieces = chunkNumbers.map((chunkNumber) => ({ ...place, chunkNumber, run }));
  const firstPlace = await findFirstPlace(tx, place.ownerId);
  await queue.enqueueMany(tx, job, inTurn(pieces, firstPlace + (chunkNumbers[0] ?? 0)));
}
