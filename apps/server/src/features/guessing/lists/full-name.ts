import { countGivenNames, NAME_TITLES } from '@assay/contract';
import type { PersonName } from '../patterns/name-parts.ts';

/** First and last name in one cell: 'José María de la Cruz', 'van der Berg, Jane', 'Dr. Jane Doe'. */
export function splitFullName(fullName: string): PersonName {
  const [before = '', after] = fullName.split(',').map((part) => part.trim());
  // A first name or a degree follows the comma.
  if (after !== undefined && wordsOf(after).length > 0) return { firstName: after, lastName: before };
  const words = wordsOf(before);
  const givenCount = countGivenNames(words);
  return {
    firstName: words.slice(0, givenCount).join(' '),
    lastName: words.slice(givenCount).join(' '),
  };
}

/** Without titles, unless the name has nothing else. */
function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && !NAME_TITLES.has(word.toLowerCase().replaceAll('.', '')));
}
