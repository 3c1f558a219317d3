/** A mailbox whose name and domain no rule reads as words. */
const anyMailbox = 'jane@example.com';
const word = /^[^\s"\\]+$/;
const whitespace = /\s+/;

/**
 * The reply with another mailbox in place of the one that we asked about. Hosts repeat it in other letter case, without the
 * quotes of its name or without its domain, and what it is called must not be read as what the host says. A name of one
 * word that stands alone stays: a host that says `mailbox full` may mean just that.
 */
export function replaceMailbox(text: string, mailbox: string): string {
  if (mailbox === '') return text;
  const replaced = text.includes(mailbox) ? text.replaceAll(mailbox, anyMailbox) : text;
  const at = mailbox.lastIndexOf('@');
  if (at <= 0) return replaced;
  const local = mailbox.slice(0, at).toLowerCase();
  const isQuoted = local.startsWith('"');
  // Most replies do not name the mailbox.
  if (!isQuoted && !replaced.toLowerCase().includes(local)) return replaced;
  const names = isQuoted ? namesInQuotes(local) : [local];
  return names.reduce((read, name) => replaceName(read, name, mailbox.slice(at + 1).toLowerCase()), replaced);
}

/** What is between the quotes, as it is and without its backslashes. */
function namesInQuotes(local: string): string[] {
  const name = local.slice(1, -1);
  return [...new Set([name, name.replace(/\\(.)/gs, '$1')])].filter((content) => content.trim() !== '');
}

/** By string methods, because an expression that is made from a mailbox could not be proved to be fast. */
function replaceName(text: string, name: string, domain: string): string {
  const folded = foldCase(text);
  const words = name.trim().split(whitespace);
  const [first = ''] = words;
  const isWord = word.test(name);
  let replaced = '';
  let copiedTo = 0;
  for (let at = folded.indexOf(first); at >= 0; at = folded.indexOf(first, Math.max(copiedTo, at + 1))) {
    const end = endOfWords(folded, at, words);
    const place = end && placeOf(folded, { start: at, end }, { domain, isWord });
    if (!place) continue;
    replaced += text.slice(copiedTo, place.start) + anyMailbox;
    copiedTo = place.end;
  }
  return replaced + text.slice(copiedTo);
}

/** Keeps every letter at its place. Very few capitals have a small form of another length. */
function foldCase(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text;
}

/** Where the words end that begin here, with any space between them. */
function endOfWords(text: string, start: number, words: readonly string[]): number | undefined {
  let end = start;
  for (const [index, expected] of words.entries()) {
    const gapAt = end;
    while (index > 0 && isSpace(text[end])) end += 1;
    if ((index > 0 && end === gapAt) || !text.startsWith(expected, end)) return undefined;
    end += expected.length;
  }
  return end;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What to replace where the name was found; undefined if the host may mean the word itself. */
function placeOf(
  text: string,
  { start, end }: Span,
  { domain, isWord }: { domain: string; isWord: boolean },
): Span | undefined {
  const quoted = {
    start: text[start - 1] === '"' ? start - 1 : start,
    end: text[end] === '"' ? end + 1 : end,
  };
  if (text.startsWith(`@${domain}`, quoted.end)) return { ...quoted, end: quoted.end + domain.length + 1 };
  // Several words are not said by chance.
  if (!isWord) return quoted;
  const isEnclosed = isOneOf('<("\'[', text[start - 1]) && isOneOf('>)"\']', text[end]);
  const isCutOff = text.startsWith('...', end) && isLetter(text[start - 1]) !== isLetter(text[start]);
  return isEnclosed || isCutOff ? { start, end } : undefined;
}

const isOneOf = (characters: string, one: string | undefined): boolean =>
  one !== undefined && characters.includes(one);
const isSpace = (one: string | undefined): boolean => one !== undefined && /\s/.test(one);
const isLetter = (one: string | undefined): boolean => one !== undefined && /\w/.test(one);
