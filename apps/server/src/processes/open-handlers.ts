import { createVerifier, type Verifier } from '@assay/verifier';
import type { Pool } from 'pg';
import { activityHandlers } from '../features/activity/index.ts';
import { billingHandlers, openGateway } from '../features/billing/index.ts';
import { feedsHandlers } from '../features/feeds/index.ts';
import { guessingHandlers } from '../features/guessing/index.ts';
import { noticesHandlers } from '../features/notices/index.ts';
import { operatorHandlers } from '../features/operator/index.ts';
import { createOutcomeCounter, mailboxesHandlers, outcomesHandlers } from '../features/outcomes/index.ts';
import { recordsHandlers } from '../features/records/index.ts';
import { recoveryHandlers } from '../features/recovery/index.ts';
import { supportHandlers } from '../features/support/index.ts';
import { suppressByOutcomes, suppressionsHandlers } from '../features/suppressions/index.ts';
import { findReceiptAddress } from '../features/users/index.ts';
import { createCheckFinder, sandboxHandlers, validationsHandlers } from '../features/verification/index.ts';
import { createMailboxGateways, createTokenVault, warmUpHandlers } from '../features/warmup/index.ts';
import { webhooksHandlers } from '../features/webhooks/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/index.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import type { Db } from '../platform/database/database.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { createIdentityAdmin } from '../platform/identity-admin/index.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Logger } from '../platform/logging/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import type { JobHandler, WorkQueue } from '../platform/queue/index.ts';
import { openReadingPool } from '../platform/reading/index.ts';

interface HandlerParts {
  readonly db: Db;
  readonly pool: Pool;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly queue: WorkQueue;
  readonly verifier: Verifier;
  readonly opened: AsyncDisposableStack;
}

/** The code for all jobs of a worker, except those of its thread for long lists. */
export async function openHandlers(
  config: Config,
  { pool, queue, verifier, opened, ...given }: HandlerParts,
): Promise<JobHandler[]> {
  const sandboxVerifier = config.sandbox && createSandboxVerifier(config.sandbox);
  opened.defer(() => sandboxVerifier?.close());
  const parts = { ...given, clock: systemClock };
  const { egress } = config.verifier;
  const secrets = createSecrets(config.secret, config.previousSecrets);
  const files = await openFileStore(config);
  const readingPool = openReadingPool(parts);
  opened.defer(() => readingPool.close());
  return [
    ...billingHandlers({ ...parts, payments: await paymentsOf(config, parts.db) }),
    ...activityHandlers(parts),
    ...recordsHandlers({
      ...parts,
      files,
      identityAdmin: config.identity.admin && createIdentityAdmin(config.identity.admin),
    }),
    ...operatorHandlers({ ...parts, queue }),
    ...recoveryHandlers({ ...parts, files }),
    ...warmUpHandlers({
      ...parts,
      vault: createTokenVault(config.warmUp.tokenKeys, config.secret, config.previousSecrets),
      gateways: createMailboxGateways(config),
    }),
    ...suppressionsHandlers(parts),
    ...supportHandlers({ ...parts, support: config.support }),
    ...noticesHandlers({
      ...parts,
      queue,
      secrets,
      publicUrl: config.publicUrl,
      graceDays: config.payments.graceDays,
      mail: config.mail,
    }),
    ...(sandboxVerifier ? sandboxHandlers({ ...parts, queue, verifier: sandboxVerifier }) : []),
    ...validationsHandlers({
      ...parts,
      pool,
      readingPool,
      limits: config.uploads,
      queue,
      verifier,
      files,
      egress,
    }),
    ...outcomesHandlers({ ...parts, queue, checks: createCheckFinder(parts.db) }),
    ...mailboxesHandlers({
      ...parts,
      queue,
      secrets,
      readingPool,
      reactions: [suppressByOutcomes],
      counter: createOutcomeCounter(parts.metrics),
      imap: config.webhooks,
    }),
    ...feedsHandlers(parts),
    ...webhooksHandlers({ ...parts, ...config.webhooks, queue, secrets }),
    ...guessingHandlers({
      ...parts,
      queue,
      verifier,
      secrets,
      limits: config.guessing,
      egress,
    }),
  ];
}

async function paymentsOf({ payments }: Config, db: Db) {
  const gateway = await openGateway(payments);
  if (!gateway) return null;
  return {
    gateway,
    graceDays: payments.graceDays,
    findAddress: (ownerId: AccountId) => findReceiptAddress(db, ownerId),
  };
}

/** The engine of the sandbox. It shares no catch-all proofs with the real one. */
const createSandboxVerifier = ({ dns, allowRanges }: NonNullable<Config['sandbox']>) =>
  createVerifier({ dns: [dns], allowRanges });
