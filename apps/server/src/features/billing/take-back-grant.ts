import type { Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { copyClaimedCredits, lockUnspentGrant, takeBackCredits } from './credit-ledger.store.ts';
import { findReversal, recordReversal } from './payments/payments.store.ts';

export interface GrantToTakeBack {
  readonly ownerId: AccountId;
  /** Of the entry that granted the credits. */
  readonly entryNumber: number;
  readonly reason: string;
  readonly now: Date;
}

export interface TakenGrant {
  readonly takenCredits: number;
  /** On hold for work: what it gives back is taken then, as after a refund. */
  readonly claimedCredits: number;
  /** False when an earlier call took them and this one changed nothing. */
  readonly isFirst: boolean;
}

/**
 * Takes back what is left of credits that an operator granted, once. Returns undefined if the entry is no such grant, and takes
 * nothing if all is spent.
 */
export async function takeBackGrant(
  tx: Tx,
  { ownerId, entryNumber, reason, now }: GrantToTakeBack,
): Promise<TakenGrant | undefined> {
  const grant = await lockUnspentGrant(tx, { ownerId, entryNumber });
  if (!grant) return undefined;
  const known = await findReversal(tx, { ownerId, reversalId: grant.key });
  if (known) return { ...known, isFirst: false };
  if (grant.unspentCredits === 0) return { takenCredits: 0, claimedCredits: 0, isFirst: false };
  const entry = takenGrantEntry(grant.key, `Granted credits taken back: ${reason}`);
  const upToCredits = grant.unspentCredits;
  const { takenCredits, heldCredits } = await takeBackCredits(tx, { ownerId, ...entry, upToCredits, now });
  await recordReversal(tx, {
    ownerId,
    reversalId: grant.key,
    kind: 'grant',
    invoiceReference: String(entryNumber),
    key: entry.key,
    status: 'lost',
    takenCredits,
    claimedCredits: heldCredits,
    now,
  });
  await copyClaimedCredits(tx, ownerId);
  return { takenCredits, claimedCredits: heldCredits, isFirst: true };
}

export const takenGrantPrefix = 'taken:';

/** The entry of credits that are taken back, without its amount. */
export const takenGrantEntry = (grantKey: string, description: string) =>
  ({
    key: `${takenGrantPrefix}${grantKey}`,
    category: 'ADJUSTMENT',
    source: 'SUPPORT',
    description,
    areBought: false,
  }) as const;
