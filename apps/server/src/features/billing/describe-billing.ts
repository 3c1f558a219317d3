import type { AccountId } from '../../platform/ids.ts';
import { getBalanceAlerts } from './alerts/balance-alerts.ts';
import { getWallet, type WalletParts } from './billing.service.ts';
import { listInvoices } from './payments/invoices.store.ts';
import { getAutomaticTopUp } from './top-up/top-up.ts';

/** More than a customer has: a plan has one a month. */
const invoicesMax = 10_000;

/** What we keep about a customer's payments besides the ledger, for the archive of all data. */
export async function describeBilling(parts: WalletParts, ownerId: AccountId) {
  const { results } = await listInvoices(parts.db, ownerId, { page_size: invoicesMax, page_number: 1 });
  return {
    ...(await getWallet(parts, ownerId)),
    alerts: (await getBalanceAlerts(parts.db, ownerId)).thresholds,
    automatic_top_up: await getAutomaticTopUp(parts, ownerId),
    invoices: results,
  };
}
