const endMarks = '.!?,;:… ';

/** A sentence without what ends it, so that it can go on. */
export function withoutEndMark(sentence: string): string {
  let end = sentence.length;
  while (end > 0 && endMarks.includes(sentence[end - 1] as string)) end -= 1;
  return sentence.slice(0, end);
}
