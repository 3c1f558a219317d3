import type { Logger } from '../../../platform/logging/index.ts';
import {
  type AddressChange,
  deleteDepartedCustomer,
  deleteEventsBefore,
  findAccountsPastDue,
  findAccountsToSetUp,
  findAccountsUnheardOf,
  findAddressChanges,
  findDepartedCustomers,
  forgetAddressChange,
  type PaymentAccount,
} from './payments.store.ts';
import { AccountGone, type SetUpParts, setUpCustomer } from './set-up-customer.ts';
import { syncCustomer } from './sync-customer.ts';

export interface TendingParts extends SetUpParts {
  readonly logger: Logger;
  /** How long a failed payment may stay unpaid before the plan ends. */
  readonly graceDays: number;
}

const dayMs = 86_400_000;
const pageSize = 100;
const nobody = '00000000-0000-0000-0000-000000000000';
/** The provider is probably down: others would only wait for the same answer. */
const failuresInARowMax = 3;

/** Sets up new customers, tells of new addresses, removes who is gone, and ends plans whose grace is over. */
export async function tendPayments(parts: TendingParts, signal: AbortSignal): Promise<void> {
  const tend = createTender(parts, signal);
  await tend(findDepartedCustomers(parts.db), async (customerId) => {
    await parts.gateway.deleteCustomer(customerId);
    await deleteDepartedCustomer(parts.db, customerId);
  });
  await tend(findAddressChanges(parts.db), (change) => tellAddress(parts, change));
  const graceEnd = new Date(parts.clock.now().getTime() - parts.graceDays * dayMs);
  await tend(findAccountsPastDue(parts.db, graceEnd), (account) => endPlan(parts, account));
  for (let after = nobody; ; ) {
    const page = await findAccountsToSetUp(parts.db, { after, limit: pageSize });
    const isTended = await tend(Promise.resolve(page), (account) => setUpCustomer(parts, account));
    if (!isTended || page.length < pageSize) return;
    after = page.at(-1)?.ownerId ?? after;
  }
}

/** The provider repeats an event for three days; this finds what was not heard of even so. */
const unheardOfAfterMs = dayMs / 4;
const missedInvoicesMs = 40 * dayMs;
const eventsKeptMs = 90 * dayMs;

/** Asks after renewals that nobody told us of, and forgets events that cannot come again. */
export async function catchUpPayments(parts: TendingParts, signal: AbortSignal): Promise<void> {
  const now = parts.clock.now().getTime();
  await deleteEventsBefore(parts.db, new Date(now - eventsKeptMs));
  const tend = createTender(parts, signal);
  const unheardOf = findAccountsUnheardOf(parts.db, new Date(now - unheardOfAfterMs));
  await tend(unheardOf, async ({ ownerId, customerReference }) => {
    if (customerReference === null) return;
    await syncCustomer(parts, {
      ownerId,
      customerId: customerReference,
      invoicesSince: new Date(now - missedInvoicesMs),
    });
  });
}

async function tellAddress(parts: TendingParts, change: AddressChange): Promise<void> {
  const address = await parts.findAddress(change.ownerId);
  if (address) await parts.gateway.changeAddress(change.customerReference, address);
  await forgetAddressChange(parts.db, change);
}

async function endPlan(parts: TendingParts, account: PaymentAccount): Promise<void> {
  const { ownerId, customerReference, subscriptionReference } = account;
  if (customerReference === null || subscriptionReference === null) return;
  await parts.gateway.endSubscription(subscriptionReference);
  await syncCustomer(parts, { ownerId, customerId: customerReference });
  parts.logger.info({ user_id: ownerId }, 'a plan ended because its payment stayed unpaid');
}

/** Goes on after one that fails, who comes up again in the next run. Answers whether it got to the end. */
function createTender({ logger }: TendingParts, signal: AbortSignal) {
  let failuresInARow = 0;
  return async <Item>(items: Promise<Item[]>, work: (item: Item) => Promise<unknown>): Promise<boolean> => {
    for (const item of await items) {
      if (signal.aborted || failuresInARow >= failuresInARowMax) return false;
      try {
        await work(item);
        failuresInARow = 0;
      } catch (error) {
        if (error instanceof AccountGone) continue;
        failuresInARow += 1;
        logger.warn({ err: error }, 'payments could not be tended to; it is tried again');
      }
    }
    return true;
  };
}
