// Runs on a reading thread, so this must load neither the database nor the engine.
import { buffer } from 'node:stream/consumers';
import type { OutcomeFile } from '@assay/contract';
import { explainMail, splitMailbox } from '@assay/verifier/bounces';
import { decodeText } from '../../../platform/csv/read-rows.ts';
import { defineReadJob, type JobFile } from '../../../platform/reading/read-job.ts';
import { type Archive, openArchive } from '../../../platform/workbooks/archive.ts';
import { BadWorkbook } from '../../../platform/workbooks/bad-workbook.ts';
import { isOfficeDocument } from '../../../platform/workbooks/xlsx.ts';
import { encodingOf, readText, refuseFile, type SheetChoice, sheetFields } from '../../uploads/reading.ts';
import { FileFindings } from './file-findings.ts';
import { findColumns } from './find-columns.ts';
import { readMails } from './read-mails.ts';
import { readTable, type TableWishes } from './read-table.ts';

export interface OutcomeFileOptions {
  readonly wishes: TableWishes;
  readonly now: Date;
  /** Whether the reports are wanted too. They are written in pages for `readPage`. */
  readonly isWanted: boolean;
  /** Of a workbook or zip file. */
  readonly packed?: { readonly fd: number; readonly sheet: string | undefined } | undefined;
}

/** What a sheet may unpack to: its rows are kept until all are read. */
const sheetBytesMax = 50_000_000;
const mailFileBytesMax = 32 * 1024 * 1024;
/** Of all mails of a zip file. */
const mailBytesMax = 200_000_000;

/** Reads what a customer uploads about mail that was sent: a table, or mails that came back. */
export const readOutcomeFileJob = defineReadJob(
  import.meta.url,
  'readOutcomeFileJob',
  async (file, { wishes, now, isWanted, packed }: OutcomeFileOptions): Promise<OutcomeFile> => {
    const write = isWanted ? (page: Buffer) => file.write(page) : undefined;
    try {
      if (packed) return await readPacked(file, packed, { wishes, now, write });
      const bytes = Buffer.concat(await Array.fromAsync(file.bytes));
      if (isMail(bytes)) return await mailsFile([bytes], { now, write });
      const encoding = encodingOf(bytes);
      const table = await readTable(decodeText(inOnePiece(bytes), encoding), {
        wishes,
        now,
        write,
        isSheet: false,
      });
      return { format: 'csv', ...table };
    } catch (error) {
      refuseFile(error);
    }
  },
);

interface FileReading {
  readonly wishes: TableWishes;
  readonly now: Date;
  readonly write: ((page: Buffer) => Promise<void>) | undefined;
}

async function readPacked(
  file: JobFile,
  { fd, sheet }: NonNullable<OutcomeFileOptions['packed']>,
  reading: FileReading,
): Promise<OutcomeFile> {
  const archive = await openArchive(fd);
  const mails = isOfficeDocument(archive) ? [] : archive.names.filter(isMailName);
  if (mails.length > 0) return mailsFile(unpacked(archive, mails), reading);
  // The text of the sheet is not kept.
  const withoutText: JobFile = { bytes: file.bytes, write: async () => undefined };
  const source = { kind: 'workbook', fd, sheet, bytesMax: sheetBytesMax } as const;
  return readText(withoutText, source, {
    isUsable: async (sample, choice) => {
      const rows = sample.split('\n').map((line) => line.split(','));
      return choice.isText === true || findColumns(rows, {}).columns.email !== null;
    },
    use: async (text, choice) => {
      const isSheet = choice?.isText !== true;
      const table = await readTable(text, { ...reading, isSheet });
      return { ...sheetFields(choice as SheetChoice), ...table };
    },
  });
}

async function mailsFile(
  files: Iterable<Buffer> | AsyncIterable<Buffer>,
  { now, write }: Pick<FileReading, 'now' | 'write'>,
): Promise<OutcomeFile> {
  const findings = new FileFindings(write);
  for await (const bytes of files) await readMails(bytes, findings, now);
  return { format: 'mails', columns: null, missing: [], first_rows: [], ...(await findings.finish()) };
}

/** Folders of macOS have a hidden twin of each file. */
const isMailName = (name: string): boolean =>
  /\.(?:eml|mbox|mbx)$/i.test(name) && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name);

async function* unpacked(archive: Archive, names: readonly string[]): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for (const name of names) {
    const bytes = await buffer(await archive.read(name, mailFileBytesMax));
    byteCount += bytes.length;
    if (byteCount > mailBytesMax) throw new BadWorkbook({ kind: 'too_large' });
    yield bytes;
  }
}

const mailStart = /^(?:>?From |[!-9;-~]{1,80}:[ \t])/;
const startLength = 200;

/** The name of a file may be anything. */
function isMail(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, startLength).trimStart();
  const [first] = mailStart.test(start) ? splitMailbox(bytes) : [];
  return first !== undefined && explainMail(first) !== undefined;
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
