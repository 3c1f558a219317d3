import {
  FREE_CREDITS_WITHHELD_TEXTS,
  type FreeCreditsWithheld,
  OPENING_GRANT_CREDITS,
} from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { grantCredits, noteWithoutCredits } from './credit-ledger.store.ts';
import {
  countGrantsAtDomain,
  findClaim,
  hasFreeAllowance,
  inheritClaim,
  lockClaims,
  renewClaim,
  reviewClaim,
  saveClaim,
  setFreeAllowance,
  setWithheld,
} from './free-credits.store.ts';

/** A mailbox that the identity provider has verified. Hashes are under the present secret first, then under previous ones. */
export interface ClaimedMailbox {
  readonly mailboxHashes: readonly [string, ...string[]];
  /**
   * Where it is. `provider`: a mail service that lets a person have few mailboxes. `disposable`: one that lets everyone have any
   * number. Else the domain, whose owner can make up mailboxes.
   */
  readonly place: 'provider' | 'disposable' | { readonly domainHashes: readonly [string, ...string[]] };
}

export interface FreeCreditsClaim extends ClaimedMailbox {
  readonly ownerId: AccountId;
  /** Mailboxes of one domain that get free credits in 24 hours without an operator. */
  readonly perDomainMax: number;
  readonly now: Date;
}

const dayMs = 86_400_000;

/**
 * Gives a person's free credits to one account: 1,000 when their mailbox signs up for the first time, and the monthly top-ups. An
 * account that gets none reads why in its history, and an operator may grant them.
 */
export async function claimFreeCredits(tx: Tx, claim: FreeCreditsClaim): Promise<{ grantedCredits: number }> {
  const { ownerId, now, place } = claim;
  const [mailboxHash, ...previousHashes] = claim.mailboxHashes;
  // Mailboxes before domains, so that two callers cannot deadlock.
  await lockClaims(tx, mailboxHash);
  if (previousHashes.length > 0) await renewClaim(tx, { mailboxHash, previousHashes });
  const known = await findClaim(tx, mailboxHash);
  const domainHash = typeof place === 'object' ? place.domainHashes[0] : null;
  const save = (state: 'granted' | 'withheld') =>
    saveClaim(tx, { mailboxHash, ownerId, domainHash, state, now });
  const isOfOther = known !== undefined && known.ownerId !== null && known.ownerId !== ownerId;

  if (await hasFreeAllowance(tx, ownerId)) {
    // The account has its credits already. This mailbox has none left for another account.
    if (!known || (known.state === 'withheld' && !isOfOther)) await save('granted');
    else if (known.ownerId === null) await inheritClaim(tx, mailboxHash, ownerId);
    return { grantedCredits: 0 };
  }
  if (isOfOther) return withhold(tx, claim, 'mailbox_taken');
  if (place === 'disposable') {
    await save('withheld');
    return withhold(tx, claim, 'disposable_domain');
  }
  if (known && known.state !== 'withheld') {
    await inheritClaim(tx, mailboxHash, ownerId);
    await setFreeAllowance(tx, ownerId);
    const description = 'No welcome credits: this address had them in an account that was deleted';
    await noteWithoutCredits(tx, { ...openingEntry, ownerId, description, now });
    return { grantedCredits: 0 };
  }
  if (await isDomainUsedUp(tx, claim)) {
    await save('withheld');
    return withhold(tx, claim, 'domain_limit');
  }
  await save('granted');
  return grantOpeningCredits(tx, { ownerId, now });
}

/** Locks the domain until the transaction ends, so that simultaneous sign-ups count each other. */
async function isDomainUsedUp(tx: Tx, { place, perDomainMax, now }: FreeCreditsClaim): Promise<boolean> {
  if (typeof place !== 'object') return false;
  const { domainHashes } = place;
  await lockClaims(tx, domainHashes[0]);
  const since = new Date(now.getTime() - dayMs);
  const grants = await countGrantsAtDomain(tx, { domainHashes, since });
  return grants !== undefined && grants >= perDomainMax;
}

const openingEntry = { key: 'grant:opening', category: 'GRANT', source: 'SIGN_UP' } as const;

async function grantOpeningCredits(tx: Tx, { ownerId, now }: { ownerId: AccountId; now: Date }) {
  await setFreeAllowance(tx, ownerId);
  const entry = { ...openingEntry, ownerId, description: 'Welcome credits', now };
  return grantCredits(tx, { ...entry, credits: OPENING_GRANT_CREDITS });
}

async function withhold(tx: Tx, { ownerId, now }: FreeCreditsClaim, because: FreeCreditsWithheld) {
  await setWithheld(tx, ownerId, because);
  const entry = { ...openingEntry, key: `withheld:${because}`, ownerId, now } as const;
  await noteWithoutCredits(tx, { ...entry, description: FREE_CREDITS_WITHHELD_TEXTS[because] });
  return { grantedCredits: 0 };
}

/** What an operator does about withheld credits. `provesDomain` lifts the daily limit of the mail domain. Undefined if none are withheld. */
export async function releaseFreeCredits(
  tx: Tx,
  { ownerId, provesDomain, now }: { ownerId: AccountId; provesDomain: boolean; now: Date },
): Promise<{ grantedCredits: number } | undefined> {
  if (!(await reviewClaim(tx, { ownerId, provesDomain }))) return undefined;
  return grantOpeningCredits(tx, { ownerId, now });
}
