import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { syncAllCustomers } from '../billing/index.ts';
import { peopleLists } from '../guessing/index.ts';
import { applyRetention, deleteAccount } from '../records/index.ts';
import { repeatRemoval, startNewGeneration } from '../suppressions/index.ts';
import { removeStrayFiles } from '../uploads/index.ts';
import { deleteSingle, emailLists } from '../verification/index.ts';
import { dropWaitingDeliveries } from '../webhooks/index.ts';
import {
  endCatchUp,
  findDeletedSingles,
  isRestoreUnfinished,
  removeAgain,
  removeReplacedKey,
} from './catch-up.store.ts';
import { type Deletion, type DeletionKind, type Revocation, readDeletions } from './deletion-log.ts';
import { repeatRevocations } from './repeat-revocations.ts';

export interface CatchUpParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly managesIdentities: boolean;
}

export interface RestoreEnd {
  readonly deletionCount: number;
  readonly revocationCount: number;
  readonly droppedDeliveryCount: number;
  readonly customersToSync: number;
}

/**
 * Brings restored rows up to the present as far as we know it: repeats deletions and retention, gives up webhooks that were
 * due, and has every paying customer compared with the payment provider. May be repeated.
 */
export async function catchUpAfterRestore(parts: CatchUpParts, takenAt: Date): Promise<RestoreEnd> {
  const droppedDeliveryCount = await dropWaitingDeliveries(parts.db, parts.clock.now());
  await startNewGeneration(parts.db, parts.clock.now());
  const customersToSync = await syncAllCustomers(parts);
  let deletionCount = 0;
  const revocations: Revocation[] = [];
  // First, because most of the log is what retention deleted: one search then finds that it is gone.
  await applyRetention(parts, new AbortController().signal);
  for await (const lines of readDeletions(parts.files, takenAt)) {
    const deletions = lines.filter((line): line is Deletion => 'ownerId' in line);
    revocations.push(...lines.filter((line) => 'hash' in line));
    const singleIds = await findDeletedSingles(parts.db, deletions);
    for (const deletion of deletions) {
      if (deletion.kind === 'single' && !singleIds.has(deletion.id)) continue;
      if (await repeat(parts, deletion)) deletionCount += 1;
    }
  }
  const revocationCount = await repeatRevocations(parts, revocations, takenAt);
  await removeStrayFiles(parts);
  await endCatchUp(parts.db);
  return { deletionCount, revocationCount, droppedDeliveryCount, customersToSync };
}

/** Returns whether there was something to delete. */
async function repeat(parts: CatchUpParts, deletion: Deletion): Promise<boolean> {
  try {
    await repeats[deletion.kind](parts, deletion);
    return true;
  } catch (error) {
    if (error instanceof AppError && goneCodes.includes(error.code)) return false;
    throw error;
  }
}

/** An account that is gone cannot act. */
const goneCodes: readonly string[] = ['not_found', 'list_not_found', 'unauthorized'];

type Repeat = (parts: CatchUpParts, deletion: Deletion) => Promise<void>;

const removeRow =
  (kind: Parameters<typeof removeAgain>[1]): Repeat =>
  async ({ db }, deletion) => {
    if (!(await removeAgain(db, kind, deletion))) throw new AppError('not_found');
  };

const repeats: Record<DeletionKind, Repeat> = {
  // Its person got the mail when it was closed.
  account: (parts, { id }) => deleteAccount({ ...parts, sendsMails: false }, id),
  list: (parts, { ownerId, id }) => emailLists.control.delete(parts, { accountId: ownerId }, id),
  people_list: (parts, { ownerId, id }) => peopleLists.control.delete(parts, { accountId: ownerId }, id),
  single: (parts, { ownerId, id }) => deleteSingle(parts, { accountId: ownerId }, id),
  api_key: removeRow('api_key'),
  scoped_api_key: removeRow('scoped_api_key'),
  replaced_key: async ({ db }, deletion) => {
    if (!(await removeReplacedKey(db, deletion))) throw new AppError('not_found');
  },
  export_link: removeRow('export_link'),
  webhook: removeRow('webhook'),
  outcome_feed: removeRow('outcome_feed'),
  outcome_mailbox: removeRow('outcome_mailbox'),
  // Its tokens were revoked when the customer removed it.
  mailbox: removeRow('mailbox'),
  suppression: repeatRemoval,
};

/** Processes call this when they start. */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  if (!(await isRestoreUnfinished(db))) return;
  throw new Error(
    'A restore of this installation did not finish. Run `assay restore FILE --yes`, or `assay recover` after other tools, again before you start it.',
  );
}
