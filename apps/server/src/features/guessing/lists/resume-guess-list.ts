import type { Db } from '../../../platform/database/database.ts';
import { readDatabaseTime } from '../../../platform/database/database-time.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { jobsOfWaiting, type ListPlace, sortOpenRows } from '../../lists/index.ts';
import { proveDeferredJob } from '../guessing.jobs.ts';
import { enqueuePeople } from './enqueue-people.ts';
import { findOpenPeople } from './guess-lists.store.ts';
import { peopleLists } from './people-lists.ts';

interface ResumeParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly egress: string;
}

/**
 * Enqueues the people without an outcome. Deferred ones keep their time, their patience and their number of
 * attempts.
 */
export async function resumeGuessList(
  { db, queue, egress }: ResumeParts,
  { run, ...place }: ListPlace & { readonly run: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const list = await peopleLists.answers.find(tx, place);
    if (list?.status !== 'PENDING' || list.run_number !== run) return;
    const open = await findOpenPeople(tx, place);
    const { waiting, others } = await sortOpenRows(
      tx,
      place,
      run,
      open.map(({ rowNumber }) => rowNumber),
    );
    const idOf = new Map(open.map(({ rowNumber, id }) => [rowNumber, id]));
    const idsOf = (rowNumbers: readonly number[]) => rowNumbers.flatMap((row) => idOf.get(row) ?? []);
    if (waiting.length > 0) {
      const jobs = jobsOfWaiting(waiting, await readDatabaseTime(tx), ({ rowNumbers, ...patience }) => ({
        ...place,
        run,
        guessIds: idsOf(rowNumbers),
        ...patience,
      }));
      await queue.enqueueMany(tx, proveDeferredJob(egress), jobs);
      await peopleLists.results.deferRows(tx, place, run, waiting);
    }
    await enqueuePeople(queue, tx, place, run, idsOf([...others]));
  });
}
