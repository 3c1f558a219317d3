import type { AddressFlags } from './address/address-flags.ts';
import type { Basis } from './basis.ts';
import type { EvidenceStage } from './evidence.ts';
import type { Reason, Result } from './judgement/reasons.ts';

interface Found<T> {
  /** What the caller gave, unchanged, to tell findings apart: they come in any order. */
  item: T;
  /** The address without surrounding space. */
  email: string;
  result: Result;
  reason: Reason;
  flags: AddressFlags;
  /** The whole address with the domain that was probably meant, where that domain has a mail host. */
  didYouMean?: string;
  /** Who runs the domain's mail host: a well-known provider by name, another one by the domain of its host. */
  mxProvider?: string;
  evidence: EvidenceStage[];
  /** What it rests on; absent for callers that want no evidence. */
  basis?: Basis;
}

export interface Verdict<T> extends Found<T> {
  kind: 'verdict';
}

/** The host wants to be asked again. So far the result is UNKNOWN; that is the verdict if the caller does not ask again. */
export interface TryAgain<T> extends Found<T> {
  kind: 'try_again';
  afterMs: number;
  /** How often hosts have deferred this address so far. Pass it on with the next attempt. */
  deferralCount: number;
}

/** What the engine found out about an address. */
export type Finding<T> = Verdict<T> | TryAgain<T>;
