// The lexical half of the zone's grammar: a line is words, quoted strings and semicolons.

/** A plain word, or the content of a quoted string; a quoted string is never a keyword. */
export interface Word {
  text: string;
  isQuoted: boolean;
}

/** The clauses of one line, each a list of words; a semicolon ends a clause and `#` ends the line. */
export function splitClauses(line: string): Word[][] {
  const clauses: Word[][] = [[]];
  const token = /\s*(?:(#.*)|(;)|"((?:[^"\\]|\\.)*)"|([^\s;"#]+)|(\S))/gy;
  for (let match = token.exec(line); match !== null; match = token.exec(line)) {
    const [, comment, semicolon, quoted, bare, stray] = match;
    if (comment !== undefined) break;
    if (stray !== undefined) throw new Error(`a stray ${stray}`);
    if (semicolon !== undefined) clauses.push([]);
    else if (quoted !== undefined) clauses.at(-1)?.push({ text: unescapeText(quoted), isQuoted: true });
    else if (bare !== undefined) clauses.at(-1)?.push({ text: bare, isQuoted: false });
  }
  return clauses.filter((clause) => clause.length > 0);
}

/** `\n` begins a new line of a multi-line reply; any other escaped character means itself. */
function unescapeText(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `250ms`, `2s`, `5m`, `1h`; `forever` waits longer than any client. */
export function parseDurationMs(text: string): number {
  if (text === 'forever') return Number.POSITIVE_INFINITY;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  if (!match) throw new Error(`"${text}" is not a duration such as 250ms, 2s, 5m or forever`);
  return Number(match[1]) * (unitMs[match[2] ?? ''] ?? 1);
}

export function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is not a whole number`);
  return Number(text);
}

/** Takes words off a clause one by one, and names the missing word when they run out. */
export class Clause {
  readonly #words: Word[];

  constructor(words: Word[]) {
    this.#words = [...words];
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  peek(): string | undefined {
    return this.#words[0]?.text;
  }

  take(what: string): string {
    const word = this.#words.shift();
    if (!word) throw new Error(`${what} is missing`);
    return word.text;
  }

  takeQuoted(what: string): string {
    if (this.#words[0] && !this.#words[0].isQuoted) throw new Error(`${what} has to be in quotes`);
    return this.take(what);
  }

  takeOneOf<Choice extends string>(what: string, choices: readonly Choice[]): Choice {
    const text = this.take(what);
    const choice = choices.find((candidate) => candidate === text);
    if (!choice) throw new Error(`"${text}" is not a ${what}: ${choices.join(', ')}`);
    return choice;
  }

  /** All words that are left; at least one. */
  takeRest(what: string): string[] {
    const rest = [this.take(what)];
    while (!this.isEmpty) rest.push(this.take(what));
    return rest;
  }

  end(): void {
    if (!this.isEmpty) throw new Error(`"${this.peek()}" is too much here`);
  }
}
