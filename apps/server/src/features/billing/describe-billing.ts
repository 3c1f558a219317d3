import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { getBalanceAlerts } from './alerts/balance-alerts.ts';
import { getWallet } from './billing.service.ts';
import { listInvoices } from './spending.ts';
import { getAutomaticTopUp } from './top-up/top-up.ts';

/** More than a customer has: a plan has one a month. */
const invoicesMax = 10_000;

/** What we keep about a customer's payments besides the ledger, for the archive of all data. */
export async function describeBilling(parts: { db: Db; clock: Clock }, ownerId: string) {
  const { results } = await listInvoices(parts.db, ownerId, { page_size: invoicesMax, page_number: 1 });
  return {
    ...(await getWallet(parts, ownerId)),
    alerts: (await getBalanceAlerts(parts.db, ownerId)).thresholds,
    automatic_top_up: await getAutomaticTopUp(parts, ownerId),
    invoices: results,
  };
}
