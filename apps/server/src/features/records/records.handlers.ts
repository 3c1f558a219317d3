import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { IdentityAdmin } from '../../platform/identity-admin/index.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { eraseActivities } from '../activity/index.ts';
import { isSubjectKnown } from '../users/index.ts';
import { removeRemainsOf } from '../verification/index.ts';
import { applyRetentionJob, deleteIdentityJob, removeRemainsJob } from './records.jobs.ts';
import { applyRetention } from './retention.ts';

export interface RecordsHandlerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly identityAdmin: IdentityAdmin | null;
}

export function recordsHandlers({ db, clock, files, identityAdmin }: RecordsHandlerParts): JobHandler[] {
  return [
    handleJob(removeRemainsJob, { concurrency: 2 }, async ({ ownerId }, { signal }) => {
      await removeRemainsOf({ db, files }, ownerId, signal);
      await eraseActivities(db, ownerId, signal);
    }),
    handleJob(applyRetentionJob, { concurrency: 1 }, (_, { signal }) =>
      applyRetention({ db, clock }, signal),
    ),
    handleJob(deleteIdentityJob, { concurrency: 2 }, async ({ subject }) => {
      // The job was enqueued with access. If the operator removed the access since, the dead letter reports it.
      if (!identityAdmin)
        throw new Error('The access to accounts at the identity provider is not configured.');
      // A person who has signed in again since then would be locked out of the new account.
      if (await isSubjectKnown(db, subject)) return;
      await identityAdmin.deleteUser(subject);
    }),
  ];
}
