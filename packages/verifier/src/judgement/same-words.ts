const wordsMax = 60;
/** Longer words are ids, and a host may send very long ones to keep us busy. */
const wordCharactersMax = 40;
/** Hosts put ids and times into replies; so few other words may differ. */
const sharedShareMin = 0.8;

/** What of a reply is compared: the code and the words, without anything that has a digit in it. */
export function comparableWords(code: string, enhanced: string, sentence: string): string {
  const words = sentence.split(/[^\p{L}\p{N}.@-]+/u).filter((word) => word !== '' && !/[\p{N}@]/u.test(word));
  return [code, enhanced, ...words.slice(0, wordsMax).map(trimWord)].join(' ');
}

/** Cuts a word to the length that is compared, without the dots and dashes behind it. */
function trimWord(word: string): string {
  let end = Math.min(word.length, wordCharactersMax);
  while (word[end - 1] === '.' || word[end - 1] === '-') end -= 1;
  return word.slice(0, end);
}

/** Whether a host used the same words for two names, which the replies may quote without their domain. */
export function hasSameWords(one: string, oneName: string, other: string, otherName: string): boolean {
  const left = withoutName(one, oneName);
  const right = withoutName(other, otherName);
  if (left[0] !== right[0] || left[1] !== right[1]) return false;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) shared += 1;
    counts.set(word, count - 1);
  }
  return shared >= sharedShareMin * Math.max(left.length, right.length);
}

function withoutName(words: string, name: string): string[] {
  const parts = new Set(name.toLowerCase().split(/[^\p{L}\p{N}-]+/u));
  parts.add(name.toLowerCase());
  return words.split(' ').filter((word, index) => index < 2 || !parts.has(word));
}
