import type { BalanceAlerts } from '@assay/contract';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { lockForCounting } from '../../accounts/index.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import { alertsDetail } from '../billing-activity.ts';
import { refreshBilling } from '../refresh-billing.ts';
import { findThresholds, replaceThresholds } from './balance-alerts.store.ts';

export async function getBalanceAlerts(db: Db, ownerId: AccountId): Promise<BalanceAlerts> {
  return { thresholds: await findThresholds(db, ownerId) };
}

export async function setBalanceAlerts(
  db: Db,
  actor: Actor,
  { thresholds, now }: { thresholds: readonly number[]; now: Date },
): Promise<BalanceAlerts> {
  const ownerId = actor.accountId;
  return db.transaction().execute(async (tx) => {
    // Two calls at the same moment would not see each other's thresholds, and would keep both.
    await lockForCounting(tx, ownerId);
    const before = await getBalanceAlerts(tx, ownerId);
    await replaceThresholds(tx, ownerId, thresholds, now);
    await refreshBilling(tx, ownerId);
    const after = await getBalanceAlerts(tx, ownerId);
    const about = alertsDetail(after.thresholds);
    if (about !== alertsDetail(before.thresholds)) {
      await recordActivity(tx, actor, { kind: 'setting.alerts', about, now });
    }
    return after;
  });
}
