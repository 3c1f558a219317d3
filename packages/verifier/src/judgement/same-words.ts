const wordsMax = 60;
/** Longer words are ids, and a host may send very long ones to keep us busy. */
const wordCharactersMax = 40;
/** Hosts put ids and times into replies; so few other words may differ. */
const sharedShareMin = 0.8;
/** Replies that mean the same may differ in more words: a host may put ids of letters into them. */
const sharedShareMinOfSameRule = 0.5;

/** What of a reply is compared: the code, the rule that decided, and the words, without anything that has a digit in it. */
export function comparableWords(code: string, enhanced: string, rule: string, sentence: string): string {
  const words = sentence.split(/[^\p{L}\p{N}.@-]+/u).filter((word) => word !== '' && !/[\p{N}@]/u.test(word));
  return [code, enhanced, rule, ...words.slice(0, wordsMax).map(trimWord)].join(' ');
}

/** The rule that decided a reply, from its comparable words. */
export const ruleIn = (words: string): string | undefined => words.split(' ')[2];

/** Cuts a word to the length that is compared, without the dots and dashes behind it. */
function trimWord(word: string): string {
  let end = Math.min(word.length, wordCharactersMax);
  while (word[end - 1] === '.' || word[end - 1] === '-') end -= 1;
  return word.slice(0, end);
}

/** Whether a host used the same words for two names, which the replies may quote without their domain. */
export function hasSameWords(one: string, oneName: string, other: string, otherName: string): boolean {
  const [oneCode, oneEnhanced, oneRule, ...oneWords] = one.split(' ');
  const [otherCode, otherEnhanced, otherRule, ...otherWords] = other.split(' ');
  if (oneCode !== otherCode || oneEnhanced !== otherEnhanced) return false;
  // A name may be a word of the reply, such as user@ or mailbox@: both names are left out on both sides.
  const names = new Set([...partsOf(oneName), ...partsOf(otherName)]);
  const left = oneWords.filter((word) => !names.has(word));
  const right = otherWords.filter((word) => !names.has(word));
  const shareMin = oneRule === otherRule ? sharedShareMinOfSameRule : sharedShareMin;
  const codeCount = 2;
  const count = codeCount + Math.max(left.length, right.length);
  return codeCount + countShared(left, right) >= shareMin * count;
}

function countShared(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) shared += 1;
    counts.set(word, count - 1);
  }
  return shared;
}

function partsOf(name: string): string[] {
  const lower = name.toLowerCase();
  return [lower, ...lower.split(/[^\p{L}\p{N}-]+/u)];
}
