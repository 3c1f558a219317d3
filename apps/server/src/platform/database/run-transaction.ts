import type { Db, Tx } from './database.ts';
import { isDeadlock } from './lock-errors.ts';

const triesMax = 3;

/**
 * Runs work in a transaction, and again if PostgreSQL ended it to break a deadlock: nothing of it was done then. For work
 * that takes its locks in another order than other work does, such as the deletion of an account or the removal of a mailbox.
 */
export async function runTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let triesLeft = triesMax - 1; ; triesLeft -= 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (triesLeft === 0 || !isDeadlock(error)) throw error;
    }
  }
}
