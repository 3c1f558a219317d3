import { EncodingProbe, type FileEncoding } from '../../../platform/csv/file-encoding.ts';
import { BrokenQuoting, decodeText, readRows } from '../../../platform/csv/read-rows.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { isSandboxDomain } from '../sandbox.ts';
import { classifyRows, countRows, type RowCounts } from './classify-rows.ts';
import { type Dialect, detectDialect } from './dialect.ts';

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

/**
 * Stores a file as it arrives, then reads it once from there: counts what is billable and says how it is written, unless
 * that is known.
 */
export async function storeAndPreview(
  bytes: AsyncIterable<Buffer>,
  store: { files: FileStore; key: string },
  limits: FileLimits,
  knownReading?: FileReading,
): Promise<FilePreview> {
  try {
    const probe = new EncodingProbe();
    const { byteCount } = await store.files.write(store.key, watched(bytes, probe, limits));
    if (byteCount === 0) throw new RefusedFile({ problem: 'file_empty' });
    const reading = knownReading ?? (await detectReading(store, probe));
    return { reading, byteCount, ...(await countStoredRows(store, reading, limits)) };
  } catch (error) {
    await store.files.remove(store.key);
    if (error instanceof BrokenQuoting)
      throw new RefusedFile({ problem: 'file_broken_quoting', row: error.row });
    throw error;
  }
}

async function detectReading(
  store: { files: FileStore; key: string },
  probe: EncodingProbe,
): Promise<FileReading> {
  const found = probe.finish();
  if (found.kind === 'not_text') {
    throw new RefusedFile({ problem: 'file_not_text', looksLike: found.looksLike });
  }
  const { encoding } = found;
  return { encoding, dialect: await readDialect(store, encoding) };
}

/** The rows of a stored file, told apart. */
export function readStoredRows(
  store: { files: FileStore; key: string },
  reading: FileReading,
  options: { readonly withHeaders: boolean },
) {
  return classifyRows(readRows(readText(store, reading.encoding), reading.dialect), reading.dialect, options);
}

async function* watched(
  bytes: AsyncIterable<Buffer>,
  probe: EncodingProbe,
  { bytesMax }: FileLimits,
): AsyncGenerator<Buffer> {
  let byteCount = 0;
  for await (const chunk of bytes) {
    byteCount += chunk.length;
    if (byteCount > bytesMax) throw new RefusedFile({ problem: 'file_too_large', bytesMax });
    probe.push(chunk);
    yield chunk;
  }
}

/** A byte-order mark is dropped by the decoder. */
const readText = (store: { files: FileStore; key: string }, encoding: FileEncoding): AsyncGenerator<string> =>
  decodeText(store.files.read(store.key), encoding);

async function readDialect(
  store: { files: FileStore; key: string },
  encoding: FileEncoding,
): Promise<Dialect> {
  let sample = '';
  for await (const piece of readText(store, encoding)) {
    sample += piece;
    if (sample.length >= sampleLength) break;
  }
  if (sample.trim() === '') throw new RefusedFile({ problem: 'file_empty' });
  const dialect = detectDialect(sample);
  if (!dialect) throw new RefusedFile({ problem: 'file_no_email_column' });
  return dialect;
}

async function countStoredRows(
  store: { files: FileStore; key: string },
  reading: FileReading,
  { rowsMax, isSandbox }: FileLimits,
): Promise<RowCounts> {
  let counts: RowCounts = { rowCount: 0, billable: 0, nonBillable: 0, duplicated: 0 };
  const rows = readRows(readText(store, reading.encoding), reading.dialect);
  const check = isSandbox ? refuseOutsideSandbox : undefined;
  for await (counts of countRows(rows, reading.dialect, check)) {
    if (counts.rowCount > rowsMax) throw new RefusedFile({ problem: 'file_too_many_rows', rowsMax });
  }
  // A first row that names the columns is no email that was left out.
  const namesColumns = reading.dialect.emailColumnName !== null;
  return { ...counts, nonBillable: counts.nonBillable - (namesColumns ? 1 : 0) };
}

function refuseOutsideSandbox(domain: string, rowNumber: number): void {
  if (!isSandboxDomain(domain)) throw new RefusedFile({ problem: 'sandbox_address', row: rowNumber + 1 });
}
