import { isListed } from './domain-lists.ts';

/** What can be said of an address without asking anyone. None of it changes the verdict. */
export interface AddressFlags {
  /** The domain gives out mailboxes meant to be thrown away. */
  isDisposable: boolean;
  /** The name stands for a function (info@, sales@) and not for a person. */
  isRole: boolean;
  /** Anyone can have a mailbox at this domain for nothing. */
  isFreeProvider: boolean;
  /** The name carries a tag after a plus sign. */
  hasPlusTag: boolean;
}

export function isDisposableDomain(domain: string): boolean {
  // Lists name the registered domain; throw-away services also hand out names below it.
  for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
    if (isListed('disposable', name)) return true;
    if (name.indexOf('.') === name.lastIndexOf('.')) return false;
  }
}

export const isFreeProviderDomain = (domain: string): boolean => isListed('free', domain);

export function isRoleName(local: string): boolean {
  const name = local.toLowerCase();
  const plus = name.indexOf('+');
  return isListed('role', plus > 0 ? name.slice(0, plus) : name);
}

export const hasPlusTag = (local: string): boolean => local.indexOf('+') > 0 && !local.startsWith('"');

/** A slip is one edit away; two where the name is long enough for two to be an accident. */
const editsAllowed = (domain: string): number => (domain.length >= 10 ? 2 : 1);

/** The well-known domain this one was probably meant to be, if it is not one itself. */
export function findLikelyDomain(domain: string, popular: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestEdits = 3;
  for (const candidate of popular) {
    if (candidate === domain) return undefined;
    const allowed = Math.min(editsAllowed(candidate), bestEdits - 1);
    if (Math.abs(candidate.length - domain.length) > allowed || allowed < 1) continue;
    const edits = countEdits(domain, candidate, allowed);
    if (edits <= allowed) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

/** Damerau-Levenshtein distance (a swap of neighbours counts once), given up beyond `max`. */
function countEdits(left: string, right: string, max: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let edits = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] as number;
}
