import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logging/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import {
  auditLedgerJob,
  catchUpPaymentsJob,
  maintainPaymentsJob,
  renewFreePlansJob,
  topUpBalanceJob,
  topUpBalancesJob,
} from './billing.jobs.ts';
import { renewFreePlans } from './free-renewal.ts';
import { auditLedger } from './ledger-audit.store.ts';
import { catchUpPayments, type MaintenanceParts, maintainPayments } from './payments/maintain-payments.ts';
import { topUpBalance, topUpBalances } from './top-up/top-up.ts';

export interface BillingHandlerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null where no payments are configured. */
  readonly payments: Pick<MaintenanceParts, 'gateway' | 'findAddress' | 'graceDays'> | null;
}

/** The log gets this many disagreements at most. The metric counts all. */
const loggedDisagreementsMax = 100;

export function billingHandlers({ payments, ...parts }: BillingHandlerParts): JobHandler[] {
  const { db, clock, logger, metrics } = parts;
  const lastAudit = { disagreementCount: 0, endedAtSeconds: 0 };
  metrics.watch({
    name: 'assay_ledger_disagreements',
    help: 'Places where the books did not agree at the last audit of this process. Alert above 0.',
    read: () => lastAudit.disagreementCount,
  });
  metrics.watch({
    name: 'assay_ledger_audited_at_seconds',
    help: 'When this process last audited the ledger, in seconds of Unix time; 0 when it has not.',
    read: () => lastAudit.endedAtSeconds,
  });

  return [
    handleJob(renewFreePlansJob, { concurrency: 1 }, async (_, { signal }) => {
      const run = await renewFreePlans({ db, clock }, signal);
      if (run.renewedCount > 0) {
        logger.info(
          { renewed_count: run.renewedCount, granted_credits: run.grantedCredits },
          'free plans renewed',
        );
      }
    }),
    handleJob(auditLedgerJob, { concurrency: 1 }, async (_, { signal }) => {
      let disagreementCount = 0;
      for await (const disagreement of auditLedger(db)) {
        signal.throwIfAborted();
        disagreementCount += 1;
        if (disagreementCount <= loggedDisagreementsMax) {
          logger.error({ disagreement }, 'ledger audit found a disagreement');
        }
      }
      lastAudit.disagreementCount = disagreementCount;
      lastAudit.endedAtSeconds = clock.now().getTime() / 1_000;
      logger[disagreementCount > 0 ? 'error' : 'info'](
        { disagreement_count: disagreementCount },
        'ledger audited',
      );
    }),
    handleJob(maintainPaymentsJob, { concurrency: 1 }, async (_, { signal }) => {
      if (payments) await maintainPayments({ ...parts, ...payments }, signal);
    }),
    handleJob(topUpBalanceJob, { concurrency: 4 }, async ({ ownerId }) => {
      if (payments) await topUpBalance({ ...parts, ...payments }, ownerId);
    }),
    handleJob(topUpBalancesJob, { concurrency: 1 }, async (_, { signal }) => {
      if (payments) await topUpBalances({ ...parts, ...payments }, signal);
    }),
    handleJob(catchUpPaymentsJob, { concurrency: 1 }, async (_, { signal }) => {
      if (payments) await catchUpPayments({ ...parts, ...payments }, signal);
    }),
  ];
}
