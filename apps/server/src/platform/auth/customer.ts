import type { KeyScope, OperatorRole } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import type { Subject } from './subject.ts';

export interface Caller {
  /** The network address. */
  readonly address: string;
  /** What the program calls itself, cut to a bearable length. */
  readonly agent: string | null;
}

/** What a scoped API key allows. */
interface KeyGrant {
  readonly id: string;
  readonly scopes: readonly KeyScope[];
  /** The call is open to it only for work that it started itself (`ownWorkScope` of the contract). */
  readonly mayReadOwnOnly?: true;
  /** Its work is for the sandbox. */
  readonly isTest: boolean;
  /** Credits per calendar month in UTC; null for no limit. */
  readonly monthlyCreditLimit: number | null;
}

/** Who a call acts for, whichever way they proved it. */
export interface Customer {
  readonly userId: string;
  /** What the account may do; `open` if absent. */
  readonly standing?: Standing;
  /** Of calls of operators. */
  readonly operatorRole?: OperatorRole;
  /** Where the call came from. */
  readonly caller?: Caller;
  /** Of a signed-in person's token; missing when an API key made the call. */
  readonly subject?: Subject;
  /** The API key that made the call, of either kind. The key with all scopes has no name. */
  readonly usedKey?: { readonly id: string; readonly name: string | null };
  /** Of the scoped API key that made the call; missing for a person, and for the key with all scopes. */
  readonly apiKey?: KeyGrant;
}
