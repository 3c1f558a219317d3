/** Takes one whole reply: the code of its last line, and the texts of its lines, one below the other. */
export type ReplyHandler = (code: number, text: string) => void;

// RFC 5321 §4.5.3.1.5 allows 512 octets a line. Real banners and legal notices run longer; what lies beyond these
// bounds is read over, so that no host can fill our memory, and a reply that never ends is an error.
const lineCharactersMax = 2_048;
const linesKeptMax = 32;
const replyCharactersMax = 1_000_000;

/**
 * Cuts a stream of bytes into replies. Bytes may come one at a time, lines may end in LF alone, text may be in any
 * 8-bit encoding and of any length.
 */
export class ReplyParser {
  readonly #onReply: ReplyHandler;
  #rest = '';
  #lines: string[] = [];
  #charactersSinceReply = 0;
  #isPlain = true;

  constructor(onReply: ReplyHandler) {
    this.#onReply = onReply;
  }

  /** Something has been read that does not complete a reply yet. */
  get hasPartialReply(): boolean {
    return this.#rest !== '' || this.#lines.length > 0;
  }

  /** @returns false when this is not SMTP, after which the connection is of no use */
  feed(read: string): boolean {
    this.#charactersSinceReply += read.length;
    // One look at all that came is cheaper than one at every reply.
    if (notPlain.test(read)) this.#isPlain = false;
    const text = this.#rest === '' ? read : this.#rest + read;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (!this.#takeLine(text, start, end)) return false;
      start = end + 1;
    }
    // Of a line that runs on and on only the head is kept, until its end has come.
    this.#rest = text.slice(start, start + lineCharactersMax);
    if (this.#rest === '' && this.#lines.length === 0) this.#isPlain = true;
    return this.#charactersSinceReply <= replyCharactersMax;
  }

  #takeLine(text: string, start: number, newline: number): boolean {
    const end = newline > start && text.charCodeAt(newline - 1) === 13 ? newline - 1 : newline;
    const code = readCode(text, start, end);
    if (code < 0) return false;

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

/** The three digits at the start, or -1. Only 2xx to 5xx exist, and a separator or nothing must follow. */
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
// Control characters must not reach a terminal or a log; the line break between lines is ours.
const controls = /[^\P{Cc}\n]+/gu;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Text fit to show and store: UTF-8 where it is valid, Latin-1 otherwise, without control characters. */
function readable(latin1: string): string {
  let text = latin1;
  try {
    text = strictUtf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    // Latin-1 then, which every byte string is.
  }
  return text.replace(controls, ' ');
}
