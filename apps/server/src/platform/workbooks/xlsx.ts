import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';
import { type CellLooks, readCellLooks } from './number-formats.ts';
import { readXlsxSheet } from './read-xlsx-sheet.ts';
import { attributeOf, readWholeXml } from './read-xml.ts';
import { readSharedStrings, type SharedStrings } from './shared-strings.ts';
import { SheetText } from './sheet-text.ts';
import type { Workbook } from './workbook.ts';

const partBytesMax = 16 * 1024 * 1024;
const stringsBytesMax = 512 * 1024 * 1024;
const sheetBytesMax = 1024 * 1024 * 1024;

/** Whether a zip file is a document of Microsoft Office, of whatever kind. */
export const isOfficeDocument = (archive: Archive): boolean =>
  archive.has('EncryptedPackage') || (archive.has('[Content_Types].xml') && archive.has('_rels/.rels'));

export async function openXlsx(archive: Archive): Promise<Workbook> {
  const bookPart = await findBookPart(archive);
  const parts = await readRelations(archive, bookPart);
  const { sheets, isFrom1904 } = await readBook(archive, bookPart, parts);
  let strings: Promise<SharedStrings | undefined> | undefined;
  let looks: Promise<CellLooks> | undefined;
  const read = async function* (part: string): AsyncGenerator<string> {
    strings ??= readIfThere(archive, parts.ofType('sharedStrings'), stringsBytesMax, readSharedStrings);
    const shared = await strings;
    // One after the other, so that neither is left reading when the other fails.
    looks ??= readIfThere(archive, parts.ofType('styles'), partBytesMax, readCellLooks).then(
      (found) => found ?? [],
    );
    const sheetParts = { strings: shared, looks: await looks, dates: { isFrom1904 } };
    const xml = await archive.read(part, sheetBytesMax);
    yield* readXlsxSheet(xml, sheetParts, new SheetText(archive.packedBytes));
  };
  return {
    format: 'xlsx',
    sheets: new Map(
      [...sheets].map(([name, part]) => [name, { read: () => read(part), isText: false }] as const),
    ),
  };
}

async function readIfThere<Part>(
  archive: Archive,
  name: string | undefined,
  bytesMax: number,
  read: (xml: Awaited<ReturnType<Archive['read']>>) => Promise<Part>,
): Promise<Part | undefined> {
  return name === undefined || !archive.has(name) ? undefined : read(await archive.read(name, bytesMax));
}

const rootFolder = '';

/** The main part of the workbook, by the relations of the package. */
async function findBookPart(archive: Archive): Promise<string> {
  if (archive.has('EncryptedPackage')) throw new BadWorkbook({ kind: 'password' });
  const root = await readRelations(archive, rootFolder);
  const part = root.ofType('officeDocument');
  if (part === undefined) throw brokenWorkbook();
  if (/\.bin$/i.test(part)) throw new BadWorkbook({ kind: 'other', looksLike: 'a binary Excel workbook' });
  if (!/(^|\/)xl\//i.test(part) && !archive.has('xl/workbook.xml'))
    throw new BadWorkbook({ kind: 'other', looksLike: 'another kind of Office document' });
  return part;
}

interface Relations {
  /** Where a part is, by the id that its owner calls it. */
  target(id: string): { readonly part: string; readonly type: string } | undefined;
  ofType(type: string): string | undefined;
}

/** The parts that a part refers to. */
async function readRelations(archive: Archive, owner: string): Promise<Relations> {
  const folder = owner === rootFolder ? '' : posix.dirname(owner);
  const file = posix.join(folder, '_rels', `${owner === rootFolder ? '' : posix.basename(owner)}.rels`);
  const byId = new Map<string, { part: string; type: string }>();
  const xml = await archive.read(file, partBytesMax);
  await readWholeXml(xml, {
    open: (name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External') return;
      const part = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      byId.set(id, { part, type: type.slice(type.lastIndexOf('/') + 1) });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return {
    target: (id) => byId.get(id),
    ofType: (type) => [...byId.values()].find((relation) => relation.type === type)?.part,
  };
}

interface Book {
  /** The part of each sheet by its name. */
  readonly sheets: ReadonlyMap<string, string>;
  readonly isFrom1904: boolean;
}

async function readBook(archive: Archive, part: string, relations: Relations): Promise<Book> {
  const visible = new Map<string, string>();
  const hidden = new Map<string, string>();
  let isFrom1904 = false;
  await readWholeXml(await archive.read(part, partBytesMax), {
    open: (element, attributes) => {
      if (element === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (element !== 'sheet') return;
      const target = relations.target(attributeOf(attributes, 'id') ?? '');
      // Sheets that are only a chart have another type.
      if (target?.type !== 'worksheet' || !archive.has(target.part)) return;
      const isVisible = (attributes.state ?? 'visible') === 'visible';
      (isVisible ? visible : hidden).set(attributes.name ?? '', target.part);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return { sheets: visible.size > 0 ? visible : hidden, isFrom1904 };
}
