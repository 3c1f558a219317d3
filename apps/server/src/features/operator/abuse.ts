import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { hasFlag } from '../engine/index.ts';
import { findVolumes, sampleRows, type Volume } from '../verification/index.ts';
import { findOpening, forgetScores, saveScore } from './abuse.store.ts';
import { scoreHarvest } from './harvest-signs.ts';

const daysScored = 30;
const customersScored = 500;
const rowsSampled = 500;
const dayMs = 86_400_000;

/** Scores the customers with the most addresses of the last month. */
export async function scoreCustomers(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - daysScored * dayMs);
  for (const volume of await findVolumes(db, since, customersScored)) {
    signal.throwIfAborted();
    await scoreCustomer(db, volume, now);
  }
  await forgetScores(db, since);
}

async function scoreCustomer(db: Db, volume: Volume, now: Date): Promise<void> {
  const { ownerId, newestListId: listId } = volume;
  const rows = await sampleRows(db, { ownerId, listId }, rowsSampled);
  const openedAt = await findOpening(db, ownerId);
  if (!openedAt) return;
  const { score, reasons } = scoreHarvest({
    addresses: volume.total,
    completed: volume.completed,
    invalid: volume.invalid,
    malformed: volume.malformed,
    accountAgeDays: (now.getTime() - openedAt.getTime()) / dayMs,
    sample: rows.map(({ address, flags }) => ({
      address,
      isRole: hasFlag(flags, 'role'),
      isFree: hasFlag(flags, 'free_provider'),
    })),
  });
  await saveScore(db, ownerId, { score, reasons, now });
}
