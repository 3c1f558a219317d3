import type { FreeCreditsWithheld } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Makes claims of one mailbox, or of one domain, wait for each other. */
export async function lockClaims(tx: Tx, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`free credits ${hash}`}, 0))`.execute(tx);
}

/** Stores a claim under the present hash of its mailbox that was made under a previous one. */
export async function renewClaim(
  tx: Tx,
  { mailboxHash, previousHashes }: { mailboxHash: string; previousHashes: readonly string[] },
): Promise<void> {
  // Several may be left of a mailbox whose addresses counted as different ones. One that is in use counts most.
  await sql`
    update free_credit_claims set mailbox_hash = ${mailboxHash}
    where mailbox_hash = (
        select mailbox_hash from free_credit_claims where mailbox_hash = any(${previousHashes})
        order by owner_id is null, claimed_at limit 1)
      and not exists (select from free_credit_claims where mailbox_hash = ${mailboxHash})`.execute(tx);
}

export interface Claim {
  /** Null when the account was deleted. */
  readonly ownerId: AccountId | null;
  readonly state: 'granted' | 'withheld' | 'reviewed' | 'domain_proved';
}

export const findClaim = (tx: Tx, mailboxHash: string): Promise<Claim | undefined> =>
  tx
    .selectFrom('free_credit_claims')
    .select(['owner_id as ownerId', 'state'])
    .where('mailbox_hash', '=', mailboxHash)
    .executeTakeFirst();

export async function saveClaim(
  tx: Tx,
  claim: {
    mailboxHash: string;
    ownerId: AccountId;
    domainHash: string | null;
    state: 'granted' | 'withheld';
    now: Date;
  },
): Promise<void> {
  const values = {
    owner_id: claim.ownerId,
    domain_hash: claim.domainHash,
    state: claim.state,
    claimed_at: claim.now,
  };
  await tx
    .insertInto('free_credit_claims')
    .values({ mailbox_hash: claim.mailboxHash, ...values })
    .onConflict((conflict) => conflict.column('mailbox_hash').doUpdateSet(values))
    .execute();
}

/** Gives the claim of a deleted account to another one of the same mailbox. */
export async function inheritClaim(tx: Tx, mailboxHash: string, ownerId: AccountId): Promise<void> {
  await tx
    .updateTable('free_credit_claims')
    .set({ owner_id: ownerId })
    .where('mailbox_hash', '=', mailboxHash)
    .execute();
}

/** How many mailboxes of a domain got free credits by themselves since then; undefined for a domain that an operator has proved. */
export async function countGrantsAtDomain(
  tx: Tx,
  { domainHashes, since }: { domainHashes: readonly string[]; since: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{ grants: number; is_proved: boolean }>`
    select count(*) filter (where state = 'granted' and claimed_at > ${since})::int as grants,
      coalesce(bool_or(state = 'domain_proved'), false) as is_proved
    from free_credit_claims where domain_hash = any(${domainHashes})`.execute(tx);
  const [counted] = rows;
  return counted?.is_proved ? undefined : (counted?.grants ?? 0);
}

/** Ends the withholding of an account. False if nothing was withheld. */
export async function reviewClaim(
  tx: Tx,
  { ownerId, provesDomain }: { ownerId: AccountId; provesDomain: boolean },
): Promise<boolean> {
  const state = provesDomain ? 'domain_proved' : 'reviewed';
  const reviewed = await tx
    .updateTable('free_credit_claims')
    .set({ state })
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'withheld')
    .returning('mailbox_hash')
    .execute();
  return reviewed.length > 0;
}

export async function hasFreeAllowance(db: Db, ownerId: AccountId): Promise<boolean> {
  const { has_free_allowance } = await db
    .selectFrom('subscriptions')
    .select('has_free_allowance')
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return has_free_allowance;
}

/** Returns whether the account did not have it before. */
export async function setFreeAllowance(tx: Tx, ownerId: AccountId): Promise<boolean> {
  const changed = await tx
    .updateTable('subscriptions')
    .set({ has_free_allowance: true, free_credits_withheld: null })
    .where('owner_id', '=', ownerId)
    .where('has_free_allowance', '=', false)
    .returning('owner_id')
    .executeTakeFirst();
  return changed !== undefined;
}

export async function setWithheld(tx: Tx, ownerId: AccountId, because: FreeCreditsWithheld): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ free_credits_withheld: because })
    .where('owner_id', '=', ownerId)
    .execute();
}
