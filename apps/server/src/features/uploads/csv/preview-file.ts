import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { EncodingProbe, type FileEncoding } from '../../../platform/csv/file-encoding.ts';
import { readColumn } from '../../../platform/csv/read-column.ts';
import { BrokenQuoting, decodeText, readRows } from '../../../platform/csv/read-rows.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { isSandboxDomain } from '../../engine/index.ts';
import { classifyRows, countRows, type FileRow, type RowCounts } from './classify-rows.ts';
import { type Dialect, detectDialect } from './dialect.ts';
import { cleanRows } from './own-columns.ts';

/** How a stored file is to be read. */
export interface FileReading {
  readonly encoding: FileEncoding;
  readonly dialect: Dialect;
}

export interface FilePreview extends RowCounts {
  readonly reading: FileReading;
  readonly byteCount: number;
}

export interface FileLimits {
  readonly bytesMax: number;
  readonly rowsMax: number;
  /** Only addresses that the sandbox knows are taken. */
  readonly isSandbox?: boolean;
}

/** Why a file cannot become a list; each has its own text in the table of errors. */
export type FileRefusal =
  | { readonly problem: 'file_empty' }
  | { readonly problem: 'file_not_text'; readonly looksLike: string }
  | { readonly problem: 'file_too_large'; readonly bytesMax: number }
  | { readonly problem: 'file_too_many_rows'; readonly rowsMax: number }
  | { readonly problem: 'file_no_email_column' }
  | { readonly problem: 'file_broken_quoting'; readonly row: number }
  | { readonly problem: 'sandbox_address'; readonly row: number };

/** Thrown while a file streams by, since what has been stored so far must be dropped. */
export class RefusedFile extends Error {
  readonly refusal: FileRefusal;
  constructor(refusal: FileRefusal) {
    super(refusal.problem);
    this.refusal = refusal;
  }
}

const sampleLength = 1 << 18;

/** A file in the store. */
interface StoredFile {
  readonly files: FileStore;
  readonly key: string;
}

/**
 * Stores a file as it arrives and counts on the way what is billable, as UTF-8, which nearly all files are. Only the end
 * tells whether it was: a file that is anything else, or that something is wrong with, is read once more from the store
 * and judged there.
 */
export async function storeAndPreview(
  bytes: AsyncIterable<Buffer>,
  store: StoredFile,
  limits: FileLimits,
  knownReading?: FileReading,
): Promise<FilePreview> {
  const probe = new EncodingProbe();
  const copy = new PassThrough({ highWaterMark: sampleLength });
  const countAs = (text: AsyncGenerator<string>, encoding: FileEncoding) =>
    countText(text, { encoding, dialect: knownReading?.dialect }, limits);
  const counting = countAs(decodeText(copy, 'utf-8'), 'utf-8').catch(() => {
    // Nobody reads it any more, so nothing may wait in it.
    copy.destroy();
    return undefined;
  });
  try {
    const incoming = watched(bytes, { probe, copy, counting }, limits);
    const { byteCount } = await store.files.write(store.key, incoming);
    copy.end();
    if (byteCount === 0) throw new RefusedFile({ problem: 'file_empty' });
    const encoding = knownReading?.encoding ?? requireText(probe);
    const counted = encoding === 'utf-8' ? await counting : undefined;
    return { byteCount, ...(counted ?? (await countAs(readText(store, encoding), encoding))) };
  } catch (error) {
    await store.files.remove(store.key);
    if (error instanceof BrokenQuoting)
      throw new RefusedFile({ problem: 'file_broken_quoting', row: error.row });
    throw error;
  } finally {
    copy.destroy();
  }
}

/** The rows of a stored file, told apart, without what is no part of its table and what an earlier export added. */
export function readStoredRows(
  store: StoredFile,
  { encoding, dialect }: FileReading,
  options: { readonly withHeaders: boolean },
): { readonly rows: AsyncGenerator<FileRow[]>; readonly emailColumn: number } {
  // Without a header there are no names to know the columns by.
  const ownColumns = options.withHeaders ? dialect.ownColumns : [];
  const emailColumn = dialect.emailColumn - ownColumns.filter((own) => own < dialect.emailColumn).length;
  const table = withoutFirst(readRows(readText(store, encoding), dialect), dialect.skippedRows);
  return { rows: classifyRows(cleanRows(table, ownColumns), { emailColumn }, options), emailColumn };
}

/** Hands on what arrives, to the probe and, no quicker than it is counted, to the copy. */
async function* watched(
  bytes: AsyncIterable<Buffer>,
  { probe, copy, counting }: { probe: EncodingProbe; copy: PassThrough; counting: Promise<unknown> },
  { bytesMax }: FileLimits,
): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    probe.push(chunk);
    // Whoever counts may have given up, and reads no more.
    if (!copy.destroyed && !copy.write(chunk)) await Promise.race([once(copy, 'drain'), counting]);
    yield chunk;
  }
}

function requireText(probe: EncodingProbe): FileEncoding {
  const found = probe.finish();
  if (found.kind === 'text') return found.encoding;
  throw new RefusedFile({ problem: 'file_not_text', looksLike: found.looksLike });
}

/** A byte-order mark is dropped by the decoder. */
const readText = (store: StoredFile, encoding: FileEncoding): AsyncGenerator<string> =>
  decodeText(store.files.read(store.key), encoding);

/** Finds out from its beginning how a text is written, unless that is known, and counts its rows, in one pass. */
async function countText(
  text: AsyncGenerator<string>,
  known: { readonly encoding: FileEncoding; readonly dialect: Dialect | undefined },
  { rowsMax, isSandbox }: FileLimits,
): Promise<Omit<FilePreview, 'byteCount'>> {
  const sample = known.dialect === undefined ? await takeSample(text) : '';
  const dialect = known.dialect ?? requireDialect(sample);
  const none = { billable: 0, nonBillable: 0, duplicated: 0, empty: 0 };
  let counts: RowCounts = { ...none, rowCount: 0, belowFirst: none };
  const check = isSandbox
    ? (domain: string, row: number) => refuseOutsideSandbox(domain, row + dialect.skippedRows)
    : undefined;
  const emails = readColumn(prepended(sample, text), dialect, dialect.emailColumn);
  for await (counts of countRows(withoutFirst(emails, dialect.skippedRows), check)) {
    // Each address of a cell that holds several becomes a row.
    const listRows = counts.billable + counts.nonBillable + counts.duplicated;
    if (listRows > rowsMax) throw new RefusedFile({ problem: 'file_too_many_rows', rowsMax });
  }
  return { ...counts, reading: { encoding: known.encoding, dialect } };
}

async function takeSample(text: AsyncGenerator<string>): Promise<string> {
  let sample = '';
  while (sample.length < sampleLength) {
    const { value, done } = await text.next();
    if (done) break;
    sample += value;
  }
  return sample;
}

/** Batches without their first so many items. */
async function* withoutFirst<Item>(batches: AsyncIterable<Item[]>, count: number): AsyncGenerator<Item[]> {
  let left = count;
  for await (const batch of batches) {
    const dropped = Math.min(left, batch.length);
    left -= dropped;
    if (dropped < batch.length) yield dropped === 0 ? batch : batch.slice(dropped);
  }
}

async function* prepended(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function requireDialect(sample: string): Dialect {
  if (sample.trim() === '') throw new RefusedFile({ problem: 'file_empty' });
  const dialect = detectDialect(sample);
  if (!dialect) throw new RefusedFile({ problem: 'file_no_email_column' });
  return dialect;
}

function refuseOutsideSandbox(domain: string, rowNumber: number): void {
  if (!isSandboxDomain(domain)) throw new RefusedFile({ problem: 'sandbox_address', row: rowNumber + 1 });
}
