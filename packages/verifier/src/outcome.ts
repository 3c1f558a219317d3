import type { AddressFlags } from './address/address-flags.ts';
import type { EvidenceStage } from './evidence.ts';
import type { Reason, Result } from './judgement/reasons.ts';

interface Finding<T> {
  /** What the caller gave, unchanged, to tell outcomes apart: they come in any order. */
  item: T;
  /** The address without surrounding space. */
  email: string;
  result: Result;
  reason: Reason;
  flags: AddressFlags;
  /** The whole address with the domain that was probably meant, where that domain has a mail host. */
  didYouMean?: string;
  evidence: EvidenceStage[];
}

export interface Verdict<T> extends Finding<T> {
  kind: 'verdict';
}

/** The host wants to be asked again. As it stands the result is UNKNOWN; that is the verdict if nobody asks again. */
export interface TryAgain<T> extends Finding<T> {
  kind: 'try_again';
  afterMs: number;
}

export type Outcome<T> = Verdict<T> | TryAgain<T>;
