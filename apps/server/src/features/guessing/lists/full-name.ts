import { countGivenNames, NAME_PARTICLES, NAME_TITLES } from '@assay/contract';
import type { PersonName } from '../patterns/name-parts.ts';

/** First and last name in one cell: 'José María de la Cruz', 'van der Berg, Jane', 'Dr. Jane Doe'. */
export function splitFullName(fullName: string): PersonName {
  const [before = '', after] = fullName.split(',').map((part) => part.trim());
  // A first name or a degree follows the comma.
  if (after !== undefined && !isTitle(after, before)) return { firstName: after, lastName: before };
  const words = wordsOf(before);
  const givenCount = countGivenNames(words);
  return {
    firstName: words.slice(0, givenCount).join(' '),
    lastName: words.slice(givenCount).join(' '),
  };
}

/**
 * A known title, or capitals after a name of several words: 'Jane Doe, CEO'. Not after a name in capitals, or one that
 * begins with a particle and so is a family name: 'van der Berg, JP'.
 */
function isTitle(text: string, name: string): boolean {
  if (wordsOf(text).length === 0) return true;
  const [first = '', ...others] = wordsOf(name);
  const isInCapitals = /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text);
  return (
    isInCapitals && others.length > 0 && /\p{Ll}/u.test(name) && !NAME_PARTICLES.has(first.toLowerCase())
  );
}

/** Without titles, unless the name has nothing else. */
function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && !NAME_TITLES.has(word.toLowerCase().replaceAll('.', '')));
}
