import type { AccountRole, KeyScope, OperatorRole } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import type { AccountId, UserId } from '../ids.ts';
import type { Subject } from './subject.ts';

/** Where a call came from. */
export interface CallSource {
  /** The network address. */
  readonly address: string;
  /** What the program calls itself, cut to a bearable length. */
  readonly agent: string | null;
}

/** What a scoped API key allows. */
interface KeyGrant {
  readonly scopes: readonly KeyScope[];
  /** The call is open to it only for work that it started itself (`ownWorkScope` of the contract). */
  readonly mayReadOwnOnly?: true;
  /** Its work is for the sandbox. */
  readonly isTest: boolean;
  /** Credits per calendar month in UTC; null for no limit. */
  readonly monthlyCreditLimit: number | null;
}

/** The API key that made a call. */
interface CallerKey {
  readonly id: string;
  /** The key with all scopes has no name. */
  readonly name: string | null;
  /** Missing for the key with all scopes. */
  readonly grant?: KeyGrant;
}

/** Who calls, and for which account: a person or a key, whichever way they proved it. */
export interface Caller {
  readonly accountId: AccountId;
  /** Missing when an API key calls: keys belong to the account. */
  readonly userId?: UserId;
  readonly role: AccountRole;
  /** What the account may do; `open` if absent. */
  readonly standing?: Standing;
  /** Of calls of operators. */
  readonly operatorRole?: OperatorRole;
  readonly source?: CallSource;
  /** Of a signed-in person's token. */
  readonly subject?: Subject;
  readonly key?: CallerKey;
}

/** A signed-in person. */
export interface Person extends Caller {
  readonly userId: UserId;
}

/** The scopes of a key decide what it may do; what only an owner may do is not open to keys. */
export const roleOfKeys: AccountRole = 'admin';
