import { FREE_PLAN } from '@assay/contract';
import type { AccountId } from '../../../platform/ids.ts';
import { findPayer, type Payer, setCustomer } from './payments.store.ts';
import { type SyncParts, syncCustomer } from './sync-customer.ts';

export interface SetUpParts extends SyncParts {
  /** The address for receipts; undefined when the account is gone. */
  readonly findAddress: (ownerId: AccountId) => Promise<string | undefined>;
}

/**
 * Creates the account's customer and its subscription at the provider; Free is a subscription to a price of 0. Can be
 * repeated at any point: it finds existing objects, and the setup key deduplicates two attempts.
 */
export async function setUpCustomer(parts: SetUpParts, payer: Payer): Promise<Payer> {
  const { ownerId, setupKey } = payer;
  const customerId = payer.customerReference ?? (await createCustomer(parts, payer));
  await syncCustomer(parts, { ownerId, customerId, checksCustomer: true });
  const known = await findPayer(parts.db, ownerId);
  if (!known) throw new PayerGone(ownerId);
  if (known.subscriptionReference !== null || known.customerReference === null) return known;

  await parts.gateway.createFreeSubscription({ customerId, setupKey });
  await syncCustomer(parts, { ownerId, customerId });
  return (await findPayer(parts.db, ownerId)) ?? known;
}

/** The account was deleted during the setup. */
export class PayerGone extends Error {
  override readonly name = 'PayerGone';

  constructor(ownerId: AccountId) {
    super(`Account ${ownerId} is gone.`);
  }
}

async function createCustomer(parts: SetUpParts, { ownerId, setupKey }: Payer): Promise<string> {
  const email = await parts.findAddress(ownerId);
  if (email === undefined) throw new PayerGone(ownerId);
  const created = await parts.gateway.createCustomer({ ownerId, email, setupKey });
  const kept = await setCustomer(parts.db, { ownerId, customerReference: created });
  // Otherwise the unused customer would stay at the provider without an owner.
  if (kept !== created) await parts.gateway.deleteCustomer(created);
  if (kept === null) throw new PayerGone(ownerId);
  return kept;
}

export const isFree = ({ planCode }: Payer): boolean => planCode === FREE_PLAN.code;
