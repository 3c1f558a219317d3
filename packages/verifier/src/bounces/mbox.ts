const fromLine = Buffer.from('From ');
const newLine = 10;

/** The mails in a file: an mbox holds many, each behind a line that begins with `From `; any other file is one mail. */
export function splitMailbox(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, fromLine.length).equals(fromLine)) return [bytes];
  const starts = [0];
  for (let at = bytes.indexOf('\nFrom '); at >= 0; at = bytes.indexOf('\nFrom ', at + 1)) {
    if (isBlankLineBefore(bytes, at)) starts.push(at + 1);
  }
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

/** Text of a mail may have a line that begins with `From `, but an empty line ends a mail. */
const isBlankLineBefore = (bytes: Buffer, at: number): boolean =>
  bytes[at - 1] === newLine || (bytes[at - 1] === 13 && bytes[at - 2] === newLine);
