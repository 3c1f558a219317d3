import type { Tx } from '../../../platform/database/database.ts';
import { inTurn, type JobQueue } from '../../../platform/queue/index.ts';
import { findFirstPlace, type ListPlace } from '../../lists/index.ts';
import { proveListJob } from '../guessing.jobs.ts';

/** Short enough to repeat when a worker dies, long enough to share connections and learned patterns. */
const chunkLength = 25;

/** Enqueues people of a list in the given order. */
export async function enqueuePeople(
  queue: JobQueue,
  tx: Tx,
  place: ListPlace,
  run: number,
  guessIds: readonly string[],
): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(guessIds.length / chunkLength) }, (_, chunk) => ({
    ...place,
    run,
    guessIds: guessIds.slice(chunk * chunkLength, (chunk + 1) * chunkLength),
  }));
  await queue.enqueueMany(tx, proveListJob, inTurn(pieces, await findFirstPlace(tx, place.ownerId)));
}
