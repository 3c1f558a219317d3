import { isSecondGivenName, NAME_PARTICLES, NAME_TITLES } from '@assay/contract';
import { foldLetters, type Spelling } from './fold-letters.ts';

/** A word of a name, in the pieces that hyphens part it into: ['jean', 'luc']. */
type Word = readonly string[];

/** A name in plain lower-case letters, taken apart as far as addresses do. */
export interface NameParts {
  readonly first: readonly Word[];
  /** Small words before the family name: ['van', 'der']. */
  readonly particles: readonly string[];
  /** Empty for a person of one name. */
  readonly last: readonly Word[];
}

export interface PersonName {
  readonly firstName: string;
  readonly lastName: string;
}

/** Splits a name into parts. Null when an address cannot contain it, such as a name in another script. */
export function readNameParts({ firstName, lastName }: PersonName, spelling: Spelling): NameParts | null {
  const firstWords = wordsOf(firstName, spelling);
  const lastWords = wordsOf(lastName, spelling);
  if (firstWords === null || lastWords === null) return null;
  const { first, last } = withSecondGivenName(firstWords, lastWords);
  // A single name may be in either field.
  if (first.length === 0 && last.length === 0) return null;
  if (first.length === 0) return { first: last, particles: [], last: [] };

  const particleCount = countParticles(last);
  return {
    first,
    particles: last.slice(0, particleCount).flat(),
    last: last.slice(particleCount),
  };
}

/** Some write José in one field and María de la Cruz in the other: María is given, too. */
function withSecondGivenName(first: Word[], last: Word[]): { first: Word[]; last: Word[] } {
  const [second] = last;
  const isGiven =
    first.length === 1 && last.length > 1 && second?.length === 1 && isSecondGivenName(second[0] ?? '');
  return isGiven ? { first: [...first, second], last: last.slice(1) } : { first, last };
}

/** Null when a letter is left that has no plain form: a name cut down to the rest would be another name. */
function wordsOf(name: string, spelling: Spelling): Word[] | null {
  const plain = foldLetters(withoutAsides(name), spelling)
    // O'Neill and d'Angelo are one word in an address.
    .replace(/['’‘`´ʼ]/g, '')
    .replace(/[‐‑–—]/g, '-');
  if (/(?!\p{ASCII})\p{L}/u.test(plain)) return null;
  return plain
    .split(/[^a-z-]+/)
    .map((word) => word.split('-').filter((piece) => piece !== ''))
    .filter((word) => word.length > 0)
    .filter((word, _at, words) => words.length === 1 || !isTitle(word));
}

/** Nicknames and pronouns that people put beside their name: Robert "Bob" Smith, Ann (she/her). */
const withoutAsides = (name: string): string =>
  name.replace(/\([^()]*\)|\[[^[\]]*\]|["“”«»][^"“”«»]*["“”«»]/g, ' ');

const isTitle = ([only, ...more]: Word): boolean =>
  only !== undefined && more.length === 0 && NAME_TITLES.has(only);

/** Particles come before a name. A last word that looks like one is the name itself, such as Do and Le. */
function countParticles(words: readonly Word[]): number {
  const firstOther = words.findIndex(
    ([piece = '', ...more]) => more.length > 0 || !NAME_PARTICLES.has(piece),
  );
  return firstOther < 0 ? Math.max(0, words.length - 1) : firstOther;
}
