import { FREE_PLAN } from '@assay/contract';
import { findAccount, type PaymentAccount, setCustomer } from './payments.store.ts';
import { type SyncParts, syncCustomer } from './sync-customer.ts';

export interface SetUpParts extends SyncParts {
  /** The address that receipts go to; undefined when the account is gone. */
  readonly findAddress: (userId: string) => Promise<string | undefined>;
}

/**
 * Gives an account its customer and its subscription at the provider, Free being a subscription to a price of 0. May be
 * called again at any point: what exists is found, and the setup key makes one of two attempts.
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

/** The account was deleted while we were at it. */
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
  // Whichever is not kept would stay there without an owner.
  if (kept !== created) await parts.gateway.deleteCustomer(created);
  if (kept === null) throw new AccountGone(ownerId);
  return kept;
}

export const isFree = ({ planCode }: PaymentAccount): boolean => planCode === FREE_PLAN.code;
