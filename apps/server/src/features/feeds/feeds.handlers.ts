import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { sweepSignaturesJob } from './feeds.jobs.ts';
import { deleteOldSignatures } from './feeds.store.ts';

export const feedsHandlers = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): JobHandler[] => [
  handleJob(sweepSignaturesJob, { concurrency: 1 }, (_, { signal }) =>
    deleteOldSignatures(db, clock.now(), signal),
  ),
];
