import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findAccountBills, hasFlag } from '../engine/index.ts';
import { findVolumes, sampleRows, type Volume } from '../verification/index.ts';
import { findOpening, forgetScores, saveScore } from './abuse.store.ts';
import { scoreHarvest } from './harvest-signs.ts';

const daysScored = 30;
const customersScored = 500;
const rowsSampled = 500;
const dayMs = 86_400_000;

type AccountBill = Awaited<ReturnType<typeof findAccountBills>>[number];

/** Scores the customers with the most addresses, and with the most recipients that nobody knew, of the last month. */
export async function scoreCustomers(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - daysScored * dayMs);
  const volumes = new Map(
    (await findVolumes(db, since, customersScored)).map((volume) => [volume.ownerId, volume]),
  );
  const bills = new Map(
    (await findAccountBills(db, { since, limit: customersScored })).map((bill) => [bill.ownerId, bill]),
  );
  for (const ownerId of new Set([...volumes.keys(), ...bills.keys()])) {
    signal.throwIfAborted();
    await scoreCustomer(db, ownerId, { volume: volumes.get(ownerId), bill: bills.get(ownerId), now });
  }
  await forgetScores(db, since);
}

interface Behaviour {
  /** Undefined without lists. */
  readonly volume: Volume | undefined;
  readonly bill: AccountBill | undefined;
  readonly now: Date;
}

async function scoreCustomer(db: Db, ownerId: AccountId, { volume, bill, now }: Behaviour): Promise<void> {
  const rows =
    volume === undefined ? [] : await sampleRows(db, { ownerId, listId: volume.newestListId }, rowsSampled);
  const openedAt = await findOpening(db, ownerId);
  if (!openedAt) return;
  const { score, reasons } = scoreHarvest({
    addresses: volume?.total ?? 0,
    completed: volume?.completed ?? 0,
    invalid: volume?.invalid ?? 0,
    malformed: volume?.malformed ?? 0,
    questions: bill?.questions ?? 0,
    unknown: bill?.unknown ?? 0,
    accountAgeDays: (now.getTime() - openedAt.getTime()) / dayMs,
    sample: rows.map(({ address, flags }) => ({
      address,
      isRole: hasFlag(flags, 'role'),
      isFree: hasFlag(flags, 'free_provider'),
    })),
  });
  await saveScore(db, ownerId, { score, reasons, now });
}
