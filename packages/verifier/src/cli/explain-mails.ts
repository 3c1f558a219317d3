import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BounceFinding } from '../bounces/bounce-reasons.ts';
import { bounceBytesMax } from '../bounces/explain-bounce.ts';
import { explainMail } from '../bounces/explain-mail.ts';
import { splitMailbox } from '../bounces/mail/mbox.ts';
import type { Format, Row } from './formats.ts';
import { type CliIo, exitCodes, TextSink } from './io.ts';

const columns = ['file', 'recipient', 'class', 'subject', 'action', 'reason', 'rule'];

/** `assay explain --mails`: a line for each recipient in each mail of a folder. */
export async function explainMails(folder: string, format: Format, io: CliIo): Promise<number> {
  const sink = new TextSink(io.stdout);
  let count = 0;
  await sink.write(format.head(columns));
  for (const file of await filesIn(folder)) {
    for (const mail of splitMailbox(await readFile(join(folder, file)))) {
      for (const found of rowsOf(mail)) {
        await sink.write(format.row(file, found, count === 0));
        count += 1;
      }
    }
  }
  await sink.write(format.tail(count));
  await sink.end();
  return exitCodes.ran;
}

/** Also those of folders within it, sorted by name. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}

/** A report is at the start of a mail, so the end of a long one is not missed. */
const rowsOf = (mail: Buffer): Row[] =>
  (explainMail(mail.subarray(0, bounceBytesMax)) ?? [notReadable]).map(toRow);

const notReadable: Omit<BounceFinding, 'words' | 'reason'> & { reason: string } = {
  recipient: null,
  class: 'unclear',
  subject: 'unclear',
  action: 'none',
  reason: 'not_readable',
  rule: 'not-readable',
};

const toRow = ({
  recipient,
  class: bounceClass,
  subject,
  action,
  reason,
  rule,
}: typeof notReadable): Row => ({
  recipient,
  class: bounceClass,
  subject,
  action,
  reason,
  rule,
});
