import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logging/index.ts';
import { createMetrics, type Metrics } from '../../platform/metrics/index.ts';
import type { JobDefinition, JobHandler } from '../../platform/queue/index.ts';
import { movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { billingHandlers } from './billing.handlers.ts';
import { auditLedgerJob, renewFreePlansJob } from './billing.jobs.ts';
import { getWallet } from './billing.service.ts';
import { claimFreeCredits } from './free-credits.ts';
import { insertCustomer } from './testing/accounts.ts';

describe('billing jobs', () => {
  const clock = movableClock('2026-02-01T00:00:00Z');
  let database: TestDatabase;
  let metrics: Metrics;
  let handlers: JobHandler[];
  let logLines: Record<string, unknown>[];

  beforeEach(async () => {
    clock.set('2026-02-01T00:00:00Z');
    database = await createTestDatabase();
    metrics = createMetrics();
    logLines = [];
    const logger = createLogger({
      level: 'info',
      process: 'test',
      destination: { write: (line) => logLines.push(JSON.parse(line)) },
    });
    handlers = billingHandlers({ db: database.db, clock, logger, metrics, payments: null });
  });
  afterEach(() => database.close());

  const runJob = (job: JobDefinition<Record<string, never>>) =>
    handlers
      .find((handler) => handler.job.name === job.name)
      ?.run({}, { jobId: randomUUID(), retryCount: 0, signal: new AbortController().signal });
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  const signUp = () =>
    database.db.transaction().execute(async (tx) => {
      const now = clock.now();
      const ownerId = await insertCustomer(tx, now);
      await claimFreeCredits(tx, {
        ownerId,
        mailboxHashes: [ownerId],
        place: 'provider',
        perDomainMax: 0,
        now,
      });
      return ownerId;
    });

  it('renew Free plans every minute', async () => {
    expect(renewFreePlansJob.schedule).toBe('* * * * *');
    const ownerId = await signUp();
    clock.set('2026-03-01T00:00:00Z');

    await runJob(renewFreePlansJob);

    const wallet = await getWallet({ db: database.db, clock, graceDays: 14 }, ownerId);
    expect(wallet.subscription.next_renewal_date).toBe('2026-04-01T00:00:00.000Z');
    expect(logLines).toEqual([expect.objectContaining({ msg: 'free plans renewed', renewed_count: 1 })]);
  });

  it('audit the ledger every night and report the time in a metric', async () => {
    expect(auditLedgerJob.schedule).toBe('17 3 * * *');
    await signUp();

    await runJob(auditLedgerJob);

    expect(await metric('assay_ledger_disagreements')).toBe(0);
    expect(await metric('assay_ledger_audited_at_seconds')).toBe(clock.now().getTime() / 1_000);
    expect(logLines).toEqual([
      expect.objectContaining({ level: 'info', msg: 'ledger audited', disagreement_count: 0 }),
    ]);
  });

  it('report disagreements of the ledger in the log and in a metric', async () => {
    const ownerId = await signUp();
    await database.pool.query('update wallets set balance = balance + 7');

    await runJob(auditLedgerJob);

    expect(await metric('assay_ledger_disagreements')).toBe(1);
    expect(logLines).toEqual([
      expect.objectContaining({
        level: 'error',
        disagreement: { ownerId, finding: 'balance', subject: null, expected: 1_000, actual: 1_007 },
      }),
      expect.objectContaining({ level: 'error', msg: 'ledger audited', disagreement_count: 1 }),
    ]);
  });
});
