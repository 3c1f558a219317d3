import { FREE_PLAN } from '@assay/contract';
import { findAccount, type PaymentAccount, setCustomer } from './payments.store.ts';
import { type SyncParts, syncCustomer } from './sync-customer.ts';

export interface SetUpParts extends SyncParts {
  /** The address for receipts; undefined when the account is gone. */
  readonly findAddress: (userId: string) => Promise<string | undefined>;
}

/**
 * Creates the account's customer and its subscription at the provider; Free is a subscription to a price of 0. Can be
 * repeated at any point: it finds existing objects, and the setup key deduplicates two attempts.
 */
export async function setUpCustomer(parts: SetUpParts, account: PaymentAccount): Promise<PaymentAccount> {
  const { ownerId, setupKey } = account;
  const customerId = account.customerReference ?? (await createCustomer(parts, account));
  await syncCustomer(parts, { ownerId, customerId, checksCustomer: true });
  const known = await findAccount(parts.db, ownerId);
  if (!known) throw new AccountGone(ownerId);
  if (known.subscriptionReference !== null || known.customerReference === null) return known;

  await parts.gateway.createFreeSubscription({ customerId, setupKey });
  await syncCustomer(parts, { ownerId, customerId });
  return (await findAccount(parts.db, ownerId)) ?? known;
}

/** The account was deleted during the setup. */
export class AccountGone extends Error {
  override readonly name = 'AccountGone';

  constructor(ownerId: string) {
    super(`Account ${ownerId} is gone.`);
  }
}

async function createCustomer(parts: SetUpParts, { ownerId, setupKey }: PaymentAccount): Promise<string> {
  const email = await parts.findAddress(ownerId);
  if (email === undefined) throw new AccountGone(ownerId);
  const created = await parts.gateway.createCustomer({ ownerId, email, setupKey });
  const kept = await setCustomer(parts.db, { ownerId, customerReference: created });
  // Otherwise the unused customer would stay at the provider without an owner.
  if (kept !== created) await parts.gateway.deleteCustomer(created);
  if (kept === null) throw new AccountGone(ownerId);
  return kept;
}

export const isFree = ({ planCode }: PaymentAccount): boolean => planCode === FREE_PLAN.code;
