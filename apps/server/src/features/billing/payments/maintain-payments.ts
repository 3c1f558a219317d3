import { lowestId } from '../../../platform/database/uuid.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import { deleteRestedCards, findOrdersToInvoice } from '../top-up/top-up.store.ts';
import { writeOrderInvoice } from '../top-up/top-up-invoices.ts';
import { checkPackCheckout } from './packs.ts';
import {
  type AddressChange,
  deleteDepartedCustomer,
  deleteEventsBefore,
  findAddressChanges,
  findDepartedCustomers,
  findFormerCustomers,
  findPackCheckoutsToCheck,
  findPayersPastDue,
  findPayersToCatchUp,
  findPayersToSetUp,
  forgetAddressChange,
  type Payer,
} from './payments.store.ts';
import { isUnavailable, PaymentsRefused } from './payments-gateway.ts';
import { PayerGone, type SetUpParts, setUpCustomer } from './set-up-customer.ts';
import { type SyncOrder, syncCustomer } from './sync-customer.ts';

export interface MaintenanceParts extends SetUpParts {
  readonly logger: Logger;
  /** How long a failed payment may stay unpaid before the plan ends. */
  readonly graceDays: number;
}

const dayMs = 86_400_000;
const pageSize = 100;
/** Until then, the process that bought a pack may still be writing its invoice. It ends after five minutes. */
const invoicePatienceMs = 600_000;
/** Later a payment keeps its receipt. */
const invoiceDaysMax = 7;
/** After so many failures the provider is probably down, and the rest of the run would fail too. */
const failuresInARowMax = 3;

/** Sets up new customers, sends changed addresses, writes invoices of automatic top-ups, removes deleted customers and ends plans after their grace days. */
export async function maintainPayments(parts: MaintenanceParts, signal: AbortSignal): Promise<void> {
  const forEach = createItemRunner(parts, signal);
  await forEach(findDepartedCustomers(parts.db), async (customerId) => {
    await parts.gateway.deleteCustomer(customerId);
    await deleteDepartedCustomer(parts.db, customerId);
  });
  await forEach(findAddressChanges(parts.db), (change) => sendAddress(parts, change));
  const now = parts.clock.now().getTime();
  const graceEnd = new Date(now - parts.graceDays * dayMs);
  await forEach(findPayersPastDue(parts.db, graceEnd), (payer) => endPlan(parts, payer));
  for (let after = lowestId; ; ) {
    const page = await findPayersToSetUp(parts.db, { after, limit: pageSize });
    const isFinished = await forEach(Promise.resolve(page), (payer) => setUpCustomer(parts, payer));
    if (!isFinished || page.length < pageSize) break;
    after = page.at(-1)?.ownerId ?? after;
  }
  // Failures of its own: invoices that the provider cannot write must not stop the rest.
  const late = { after: new Date(now - invoiceDaysMax * dayMs), before: new Date(now - invoicePatienceMs) };
  const forEachOrder = createItemRunner(parts, signal);
  await forEachOrder(findOrdersToInvoice(parts.db, late), (order) => writeOrderInvoice(parts, order));
}

/** The provider repeats an event for three days. Later than this we ask ourselves, without waiting for it. */
const catchUpAfterMs = dayMs / 4;
const missedPaymentsMs = 40 * dayMs;
/** Banks take disputes for up to 18 months. */
const disputableMs = 550 * dayMs;
const eventsKeptMs = 90 * dayMs;

/** Fetches renewals, packs and reversals whose events did not arrive, and deletes events that are too old to arrive again. */
export async function catchUpPayments(parts: MaintenanceParts, signal: AbortSignal): Promise<void> {
  const now = parts.clock.now().getTime();
  await deleteRestedCards(parts.db, parts.clock.now());
  await deleteEventsBefore(parts.db, new Date(now - eventsKeptMs));
  const forEach = createItemRunner(parts, signal);
  const payers = findPayersToCatchUp(parts.db, new Date(now - catchUpAfterMs));
  const catchUp = {
    paidSince: new Date(now - missedPaymentsMs),
    chargedSince: new Date(now - disputableMs),
  };
  await forEach(payers, async ({ ownerId, customerReference }) => {
    for (const customerId of await findFormerCustomers(parts.db, ownerId)) {
      await syncFormerCustomer(parts, { ownerId, customerId, catchUp });
    }
    if (customerReference === null) return;
    // At last, because it ends the mark for a sync.
    await syncCustomer(parts, { ownerId, customerId: customerReference, checksCustomer: true, catchUp });
  });
  await forEach(findPackCheckoutsToCheck(parts.db, new Date(now)), (checkout) =>
    checkPackCheckout(parts, checkout),
  );
}

/** Payments of a customer who was replaced can still be reversed. A refusal of the provider about them must not stop the present one. */
async function syncFormerCustomer(parts: MaintenanceParts, order: SyncOrder): Promise<void> {
  try {
    await syncCustomer(parts, order);
  } catch (error) {
    if (!(error instanceof PaymentsRefused)) throw error;
    const { ownerId, customerId } = order;
    parts.logger.error(
      { err: error, user_id: ownerId, customer: customerId },
      'could not read the payments of a former customer',
    );
  }
}

async function sendAddress(parts: MaintenanceParts, change: AddressChange): Promise<void> {
  const address = await parts.findAddress(change.ownerId);
  if (address) await parts.gateway.changeAddress(change.customerReference, address);
  await forgetAddressChange(parts.db, change);
}

async function endPlan(parts: MaintenanceParts, payer: Payer): Promise<void> {
  const { ownerId, customerReference, subscriptionReference } = payer;
  if (customerReference === null || subscriptionReference === null) return;
  await parts.gateway.endSubscription(subscriptionReference);
  await syncCustomer(parts, { ownerId, customerId: customerReference });
  parts.logger.info({ account_id: ownerId }, 'plan ended because its payment stayed unpaid');
}

/** Continues after an item that fails; the next run finds that item again. Returns whether it reached the end. */
function createItemRunner({ logger }: MaintenanceParts, signal: AbortSignal) {
  let failuresInARow = 0;
  return async <Item>(items: Promise<Item[]>, work: (item: Item) => Promise<unknown>): Promise<boolean> => {
    for (const item of await items) {
      if (signal.aborted || failuresInARow >= failuresInARowMax) return false;
      try {
        await work(item);
        failuresInARow = 0;
      } catch (error) {
        if (error instanceof PayerGone) continue;
        failuresInARow = isUnavailable(error) ? failuresInARow + 1 : 0;
        logger.warn({ err: error }, 'payment maintenance failed for one customer; the next run tries again');
      }
    }
    return true;
  };
}
