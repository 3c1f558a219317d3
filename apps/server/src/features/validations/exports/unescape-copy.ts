const escapeByte = 0x5c;
const escaped: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/** Undoes the escapes of PostgreSQL's text format for COPY, which most files have none of. */
export function unescapeCopy(bytes: Buffer): Buffer {
  if (!bytes.includes(escapeByte)) return bytes;
  const plain = bytes
    .toString('latin1')
    .replace(/\\(.)/gs, (_, character: string) => escaped[character] ?? character);
  return Buffer.from(plain, 'latin1');
}
