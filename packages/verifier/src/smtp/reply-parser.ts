/** Receives a complete reply: the code of its last line, and the text of all lines, joined by line breaks. */
export type ReplyHandler = (code: number, text: string) => void;

// RFC 5321 §4.5.3.1.5 allows 512 octets per line, but real greetings and legal notices are longer. Text beyond these limits
// is dropped, so that a host cannot fill our memory. A reply that never ends is an error.
const lineCharactersMax = 2_048;
const linesKeptMax = 32;
const replyCharactersMax = 1_000_000;

/**
 * Cuts a stream of text (bytes as Latin-1) into replies. It may arrive in pieces of any size. Lines may end in LF alone,
 * be in any 8-bit encoding and have any length.
 */
export class ReplyParser {
  readonly #onReply: ReplyHandler;
  #rest = '';
  #lines: string[] = [];
  /** The first digit of the lines so far: whether they say yes or no. */
  #firstDigit = 0;
  #charactersSinceReply = 0;
  #isPlain = true;

  constructor(onReply: ReplyHandler) {
    this.#onReply = onReply;
  }

  /** Whether the text so far ends in the middle of a reply. */
  get hasPartialReply(): boolean {
    return this.#rest !== '' || this.#lines.length > 0;
  }

  /** @returns false if the text is not SMTP; the connection is then useless */
  feed(read: string): boolean {
    this.#charactersSinceReply += read.length;
    // One test of the whole read is cheaper than one per reply.
    if (notPlain.test(read)) this.#isPlain = false;
    const text = this.#rest === '' ? read : this.#rest + read;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (!this.#takeLine(text, start, end)) return false;
      start = end + 1;
    }
    // Keeps only the start of an endless line.
    this.#rest = text.slice(start, start + lineCharactersMax);
    if (this.#rest === '' && this.#lines.length === 0) this.#isPlain = true;
    return this.#charactersSinceReply <= replyCharactersMax;
  }

  #takeLine(text: string, start: number, newline: number): boolean {
    const end = newline > start && text.charCodeAt(newline - 1) === 13 ? newline - 1 : newline;
    const code = readCode(text, start, end);
    if (code < 0) return false;
    const firstDigit = Math.floor(code / 100);
    // RFC 5321 §4.2.1: all lines have the same code. A no in the middle of a yes belongs to another reply, or to nothing.
    if (this.#lines.length > 0 && firstDigit !== this.#firstDigit) return false;
    this.#firstDigit = firstDigit;

    const line = text.slice(start + 4, Math.min(end, start + lineCharactersMax));
    const isLast = end - start === 3 || text.charCodeAt(start + 3) !== 45;
    if (!isLast) {
      if (this.#lines.length < linesKeptMax) this.#lines.push(line);
      return true;
    }
    this.#charactersSinceReply = 0;
    if (this.#lines.length === 0) {
      this.#onReply(code, this.#isPlain ? line : readable(line));
      return true;
    }
    this.#lines.push(line);
    const whole = this.#lines.join('\n');
    this.#lines = [];
    this.#onReply(code, this.#isPlain ? whole : readable(whole));
    return true;
  }
}

/** The three digits at the start of a line, or -1: only 2xx to 5xx exist, and a separator or nothing follows. */
function readCode(text: string, start: number, end: number): number {
  if (end - start < 3) return -1;
  const hundreds = text.charCodeAt(start) - 48;
  const tens = text.charCodeAt(start + 1) - 48;
  const units = text.charCodeAt(start + 2) - 48;
  if (hundreds < 2 || hundreds > 5 || tens < 0 || tens > 9 || units < 0 || units > 9) return -1;
  if (end - start > 3) {
    const separator = text.charCodeAt(start + 3);
    if (separator !== 32 && separator !== 45 && separator !== 9) return -1;
  }
  return hundreds * 100 + tens * 10 + units;
}

const notPlain = /[^ -~\r\n]|\r(?!\n)/;
// Control characters must not reach a terminal or a log. The line breaks are our own.
const controls = /[^\P{Cc}\n]+/gu;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Text to show and store: UTF-8 if it is valid, else Latin-1, without control characters. */
function readable(latin1: string): string {
  let text = latin1;
  try {
    text = strictUtf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    // Every byte string is valid Latin-1.
  }
  return text.replace(controls, ' ');
}
