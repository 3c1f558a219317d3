import { fstat } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';

/** A workbook of a hundred sheets with pictures has a few thousand. */
const entriesMax = 10_000;
/** Smaller parts may be packed however well. Reading one of this size takes about half a second. */
const smallPartBytes = 8 * 1024 * 1024;
/** XML of a table packs 10 to 40 times smaller. A zip bomb packs 1,000 times smaller. */
const packingRatioMax = 100;

export interface Archive {
  /** The length of the zip file. */
  readonly packedBytes: number;
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Names are never used as paths. Fails on a part that unpacks to more than `bytesMax`. */
  read(name: string, bytesMax: number): Promise<Readable>;
}

/** Opens a zip file in a file, which its owner closes, or in memory. */
export async function openArchive(source: number | Buffer): Promise<Archive> {
  const packedBytes = typeof source === 'number' ? (await promisify(fstat)(source)).size : source.length;
  const zip = await openZip(source);
  const entries = new Map<string, Entry>();
  // Programs that write workbooks do not agree on capital letters.
  const ignoringCase = new Map<string, Entry>();
  const all: Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on('error', (error) => reject(brokenWorkbook(error)));
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry);
      ignoringCase.set(entry.fileName.toLowerCase(), entry);
      all.push(entry);
      if (all.length > entriesMax) reject(new BadWorkbook({ kind: 'too_large' }));
      else zip.readEntry();
    });
    zip.readEntry();
  });
  refuseOverlap(all);
  const find = (name: string) => entries.get(name) ?? ignoringCase.get(name.toLowerCase());
  return {
    packedBytes,
    names: [...entries.keys()],
    has: (name) => find(name) !== undefined,
    read: (name, bytesMax) => readEntry(zip, find(name), bytesMax),
  };
}

const localHeaderBytes = 30;

/** A bomb of many parts lets all of them unpack the same bytes. No program writes such a file. */
function refuseOverlap(entries: readonly Entry[]): void {
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize } of entries.toSorted(
    (left, right) => left.relativeOffsetOfLocalHeader - right.relativeOffsetOfLocalHeader,
  )) {
    if (start < end) throw brokenWorkbook();
    end = start + localHeaderBytes + fileNameLength + compressedSize;
  }
}

const openZip = (source: number | Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    const opened = (error: Error | null, zip: ZipFile) =>
      error ? reject(brokenWorkbook(error)) : resolve(zip);
    if (typeof source === 'number') yauzl.fromFd(source, { lazyEntries: true, autoClose: false }, opened);
    else yauzl.fromBuffer(source, { lazyEntries: true }, opened);
  });

/** The sizes are those of the directory. A part that turns out longer than that fails. */
function readEntry(zip: ZipFile, entry: Entry | undefined, bytesMax: number): Promise<Readable> {
  if (!entry) throw brokenWorkbook();
  const { uncompressedSize, compressedSize } = entry;
  if (entry.isEncrypted()) throw new BadWorkbook({ kind: 'password' });
  const isBomb = uncompressedSize > smallPartBytes && uncompressedSize > compressedSize * packingRatioMax;
  if (isBomb || uncompressedSize > bytesMax) throw new BadWorkbook({ kind: 'too_large' });
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(brokenWorkbook(error)) : resolve(stream)));
  });
}
