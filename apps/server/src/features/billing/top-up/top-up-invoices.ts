import type { Logger } from '../../../platform/logging/index.ts';
import { PaymentsRefused } from '../payments/payments-gateway.ts';
import type { SyncParts } from '../payments/sync-customer.ts';
import { refreshBilling } from '../refresh-billing.ts';
import { type OrderToInvoice, setInvoiceState } from './top-up.store.ts';

/** Has the provider write the invoice of a paid order, or continue with it. A refused one leaves the receipt. */
export async function writeOrderInvoice(
  { db, gateway, logger }: SyncParts & { readonly logger: Logger },
  order: OrderToInvoice,
): Promise<void> {
  const isWritten = await gateway.writeInvoice(order.paymentReference).catch((error: unknown) => {
    if (!(error instanceof PaymentsRefused)) throw error;
    logger.warn({ err: error }, 'could not write the invoice of an automatic top-up; it keeps its receipt');
    return false;
  });
  await db.transaction().execute(async (tx) => {
    await setInvoiceState(tx, order, isWritten ? 'written' : 'none');
    await refreshBilling(tx, order.ownerId);
  });
}
