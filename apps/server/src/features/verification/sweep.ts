import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { removeOldAnswers } from '../../platform/idempotency/answers.store.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  sweepBills,
  sweepBindings,
  sweepFacts,
  sweepPermits,
  sweepShares,
  sweepWishes,
} from '../engine/index.ts';
import { sweepWaits } from '../lists/index.ts';
import { forgetChecks } from '../outcomes/index.ts';
import { sweepUploads } from '../uploads/index.ts';
import { removeRunsOf } from './checked/address-runs.store.ts';
import { dropPartitions } from './rows/large-lists.store.ts';
import { removeRows } from './rows/remove-rows.store.ts';
import { deleteDrafts, findDeletedLists, findUploadsInUse, removeDeletedList } from './sweep.store.ts';

interface SweepParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
}

/** Longer than any upload takes: a draft this old belongs to a crashed process of an earlier version. */
const draftAgeMaxMs = 6 * 3_600_000;

/** Removes expired data in small steps, so that no statement holds locks for long. */
export async function sweepValidations(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  await sweepUploads(parts, await findUploadsInUse(db), signal);
  await sweepWaits(db, clock.now());
  const draftsBefore = new Date(clock.now().getTime() - draftAgeMaxMs);
  await deleteDrafts(db, draftsBefore);
  const lists = await findDeletedLists(db);
  await dropPartitions(db, signal);
  for (const list of lists) await removeList(db, list, signal);
  await removeOldAnswers(db, clock.now());
  await sweepPermits(db);
  await sweepFacts(db);
  await sweepShares(db);
  await sweepWishes(db);
  await sweepBills(db);
  await sweepBindings(db);
}

async function removeList(
  db: Db,
  list: { owner_id: AccountId; id: string },
  signal: AbortSignal,
): Promise<void> {
  await removeRunsOf(db, list.owner_id, list.id);
  await forgetChecks(db, list.owner_id, [list.id]);
  await removeRows(db, { ownerId: list.owner_id, listId: list.id }, signal);
  await removeDeletedList(db, { ownerId: list.owner_id, listId: list.id });
}
