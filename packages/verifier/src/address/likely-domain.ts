import { isOrdinaryDomain } from './address-flags.ts';
import { entriesOf } from './domain-lists.ts';
import { isPublicSuffix } from './registrable-domain.ts';
import { createSlipFinder, type SlipFinder } from './slip-finder.ts';

/** The domain that was probably meant instead of the typed one. */
export interface LikelyDomain {
  readonly name: string;
  /** The typed domain is on the kept list of typing mistakes, so it is one even if it has a mail host. */
  readonly isKnownTypo: boolean;
}

let knownTypos: Map<string, string> | undefined;
let findSlip: SlipFinder | undefined;

/** The provider's domain that this one was probably meant to be. Only DNS can tell whether the typed one is real. */
export function findLikelyDomain(domain: string): LikelyDomain | undefined {
  const kept = findKnownTypo(domain);
  if (kept !== undefined) return kept;
  findSlip ??= createSlipFinder({
    providers: entriesOf('provider'),
    isKnown: isOrdinaryDomain,
    isPublicSuffix,
  });
  const name = findSlip(domain);
  return name === undefined ? undefined : { name, isKnownTypo: false };
}

/** The same from the kept list of typing mistakes alone, which takes no search. */
export function findKnownTypo(domain: string): LikelyDomain | undefined {
  knownTypos ??= new Map([...entriesOf('typo')].map((line) => line.split(' ') as [string, string]));
  const name = knownTypos.get(domain);
  return name === undefined ? undefined : { name, isKnownTypo: true };
}
