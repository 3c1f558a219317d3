const fromLine = Buffer.from('From ');
const newLine = 10;
const carriageReturn = 13;
const lineBytesMax = 200;
/** The line in front of a mail ends with the time at which it arrived. */
const timeOfArrival = /\d\d:\d\d/;

/**
 * The mails in a file, one after the other, because there may be millions: an mbox holds many, each behind a line that begins with
 * `From `; any other file is one mail.
 */
export function* splitMailbox(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  const isMbox = bytes.subarray(0, fromLine.length).equals(fromLine);
  for (let at = isMbox ? bytes.indexOf('\nFrom ') : -1; at >= 0; at = bytes.indexOf('\nFrom ', at + 1)) {
    if (!isBehindBlankLine(bytes, at) || !timeOfArrival.test(lineAt(bytes, at + 1))) continue;
    yield bytes.subarray(start, at + 1);
    start = at + 1;
  }
  yield bytes.subarray(start);
}

/** A sentence of a mail may begin with `From ` too. */
const isBehindBlankLine = (bytes: Buffer, at: number): boolean =>
  bytes[at - 1] === newLine || (bytes[at - 1] === carriageReturn && bytes[at - 2] === newLine);

const lineAt = (bytes: Buffer, start: number): string =>
  bytes.toString('latin1', start, start + lineBytesMax).split('\n')[0] ?? '';
