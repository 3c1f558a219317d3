const escapeByte = 0x5c;
const escaped: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/** Undoes the escapes of PostgreSQL's text format for COPY, which most files have none of. */
export function unescapeCopy(bytes: Buffer): Buffer {
  return bytes.includes(escapeByte) ? Buffer.from(unescapeText(bytes.toString('latin1')), 'latin1') : bytes;
}

export const unescapeText = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(.)/gs, (_, character: string) => escaped[character] ?? character)
    : text;
