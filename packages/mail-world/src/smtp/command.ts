import type { ConnectionConduct } from '../conduct.ts';

/** A command as the client sent it, without its line break. */
export interface Command {
  verb: string;
  line: string;
}

// RFC 5321 §4.5.3.1.4: 512 octets with the line break; RFC 6531 §3.4 adds ten for SMTPUTF8, and our longest extension
// parameters fit in there too.
const lineOctetsMax = 522;
const heldOctetsMax = 16_384;

/** Cuts what a client sends into commands, and notes where it breaks the rules of lines. */
export class CommandReader {
  readonly #conduct: ConnectionConduct;
  #held = '';

  constructor(conduct: ConnectionConduct) {
    this.#conduct = conduct;
  }

  /** Whether the client sends a line without end; there is no going on with it. */
  get isOverrun(): boolean {
    return this.#held.length > heldOctetsMax;
  }

  forget(): void {
    this.#held = '';
  }

  /** The commands that are complete with this chunk. Octets are kept one to a character, as latin1. */
  read(chunk: Buffer): Command[] {
    const text = this.#held + chunk.toString('latin1');
    const commands: Command[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const hasReturn = end > start && text.charCodeAt(end - 1) === 13;
      const line = text.slice(start, hasReturn ? end - 1 : end);
      // A bare line feed ends a line for some hosts and not for others: the way to smuggle commands.
      if (!hasReturn || line.includes('\r')) this.#conduct.violation('bare line break', line);
      if (end + 1 - start > lineOctetsMax) this.#conduct.violation('overlong line', line);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are looked for.
      if (/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]/.test(line)) this.#conduct.violation('control character', line);
      commands.push({ verb: readVerb(line), line });
      start = end + 1;
    }
    this.#held = text.slice(start);
    return commands;
  }
}

function readVerb(line: string): string {
  const space = line.indexOf(' ');
  return (space === -1 ? line : line.slice(0, space)).toUpperCase();
}

/**
 * The path of `MAIL FROM:<…>` or `RCPT TO:<…>` and the parameters after it; undefined where it is malformed. A space after
 * the colon is against RFC 5321 §3.3, and taken, as most hosts do.
 */
export function readPath(line: string): { path: string; parameters: string } | undefined {
  const prefix = /^(?:MAIL FROM|RCPT TO): ?</i.exec(line)?.[0];
  if (prefix === undefined) return undefined;
  const close = findClose(line, prefix.length);
  if (close === -1) return undefined;
  return {
    path: decodeUtf8(line.slice(prefix.length, close)),
    parameters: line
      .slice(close + 1)
      .trim()
      .toUpperCase(),
  };
}

/** The bracket that ends a path; one inside a quoted local part does not. */
function findClose(line: string, start: number): number {
  if (line[start] !== '"') return line.indexOf('>', start);
  for (let index = start + 1; index < line.length; index += 1) {
    if (line[index] === '\\') index += 1;
    else if (line[index] === '"') return line.indexOf('>', index);
  }
  return -1;
}

export function hasNonAscii(line: string): boolean {
  return /[\x80-\xff]/.test(line);
}

function decodeUtf8(octets: string): string {
  return hasNonAscii(octets) ? Buffer.from(octets, 'latin1').toString('utf8') : octets;
}
