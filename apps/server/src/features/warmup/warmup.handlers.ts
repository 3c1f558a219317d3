import type { Metrics } from '../../platform/metrics/index.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { moveToCurrentKey, refreshTokens, revokeGrants, type TokenParts } from './maintain-tokens.ts';
import { revokeGrantsJob, tendMailboxesJob } from './warmup.jobs.ts';
import { deleteExpiredAuthorizations } from './warmup.store.ts';

export function warmUpHandlers({ metrics, ...parts }: TokenParts & { metrics: Metrics }): JobHandler[] {
  const lastRun = { otherKeyCount: 0 };
  metrics.watch({
    name: 'assay_mailbox_tokens_under_other_keys',
    help: 'Mailbox tokens that are not encrypted with the newest key. At 0, older keys may leave the configuration.',
    read: () => lastRun.otherKeyCount,
  });
  return [
    handleJob(revokeGrantsJob, { concurrency: 1 }, (_, { signal }) => revokeGrants(parts, signal)),
    handleJob(tendMailboxesJob, { concurrency: 1 }, async (_, { signal }) => {
      await refreshTokens(parts, signal);
      await revokeGrants(parts, signal);
      lastRun.otherKeyCount = await moveToCurrentKey(parts, signal);
      await deleteExpiredAuthorizations(parts.db, parts.clock.now());
    }),
  ];
}
