import { entriesOf, isListedDisposable } from './domain-lists.ts';

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
    if (isListedDisposable(name)) return true;
    if (name.indexOf('.') === name.lastIndexOf('.')) return false;
  }
}

export const isFreeProviderDomain = (domain: string): boolean => entriesOf('free').has(domain);

export function isRoleName(local: string): boolean {
  const name = local.toLowerCase();
  const plus = name.indexOf('+');
  return entriesOf('role').has(plus > 0 ? name.slice(0, plus) : name);
}

export const hasPlusTag = (local: string): boolean => local.indexOf('+') > 0 && !local.startsWith('"');

/**
 * A slip is one edit away; two where the name is long enough for two to be an accident; none where it is so short
 * (aol.com) that other domains lie all around it.
 */
const editsAllowed = (domain: string): number => (domain.length >= 10 ? 2 : domain.length >= 8 ? 1 : 0);

/** Which characters a name holds, one bit for each; names that differ in many are not slips of one another. */
function charactersOf(name: string): number {
  let bits = 0;
  for (let index = 0; index < name.length; index++) bits |= 1 << (name.charCodeAt(index) & 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

let candidates: { name: string; characters: number }[] | undefined;

/** The well-known domain this one was probably meant to be, if it is not one itself. */
export function findLikelyDomain(domain: string): string | undefined {
  const popular = entriesOf('popular');
  if (popular.has(domain)) return undefined;
  candidates ??= [...popular].map((name) => ({ name, characters: charactersOf(name) }));
  const characters = charactersOf(domain);
  let best: string | undefined;
  let bestEdits = 3;
  for (const candidate of candidates) {
    const allowed = Math.min(editsAllowed(candidate.name), bestEdits - 1);
    if (allowed < 1 || Math.abs(candidate.name.length - domain.length) > allowed) continue;
    // One edit changes at most two of the characters.
    if (countBits(candidate.characters ^ characters) > 2 * allowed) continue;
    const edits = countEdits(domain, candidate.name, allowed);
    if (edits > allowed) continue;
    best = candidate.name;
    bestEdits = edits;
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
