const escapeByte = 0x5c;
const escaped: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/**
 * Undoes the escapes of PostgreSQL's text format for COPY. Most files have none: their pieces pass as they are, because
 * each copy of them makes the garbage collector run more often.
 */
export function unescapePage(pieces: readonly Buffer[]): readonly Buffer[] {
  if (!pieces.some((piece) => piece.includes(escapeByte))) return pieces;
  // An escape may be split between two pieces.
  return [Buffer.from(unescapeText(Buffer.concat(pieces).toString('latin1')), 'latin1')];
}

export const unescapeText = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(.)/gs, (_, character: string) => escaped[character] ?? character)
    : text;
