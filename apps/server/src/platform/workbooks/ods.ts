import { text as readAll } from 'node:stream/consumers';
import type { Archive } from './archive.ts';
import { BadWorkbook, brokenWorkbook } from './bad-workbook.ts';
import { readOdsSheet } from './read-ods-sheet.ts';
import { attributeOf, readWholeXml, type XmlEvents } from './read-xml.ts';
import { SheetText } from './sheet-text.ts';
import type { Workbook } from './workbook.ts';

const contentBytesMax = 1024 * 1024 * 1024;
const manifestBytesMax = 16 * 1024 * 1024;
const typeBytesMax = 1_000;
/** More sheets than any program shows. */
const tablesMax = 10_000;

/** Whether a zip file is a document of LibreOffice or the like, of whatever kind. */
export const isOpenDocument = (archive: Archive): boolean =>
  archive.has('mimetype') && archive.has('content.xml');

/** Opens an OpenDocument spreadsheet. All of its tables are in one part. */
export async function openOds(archive: Archive): Promise<Workbook> {
  const type = await readAll(await archive.read('mimetype', typeBytesMax)).catch((error) => {
    throw brokenWorkbook(error);
  });
  if (!type.startsWith('application/vnd.oasis.opendocument.spreadsheet'))
    throw new BadWorkbook({ kind: 'other', looksLike: 'an OpenDocument file without a table' });
  if (await hasPassword(archive)) throw new BadWorkbook({ kind: 'password' });
  const read = async function* (table: number): AsyncGenerator<string> {
    const xml = await archive.read('content.xml', contentBytesMax);
    yield* readOdsSheet(xml, table, new SheetText(archive.packedBytes));
  };
  const tables = await listTables(archive);
  return {
    format: 'ods',
    sheets: new Map(
      [...tables].map(([name, table]) => [name, { read: () => read(table), isText: false }] as const),
    ),
  };
}

/** The parts of a document with a password are noise. Only its manifest says so. */
async function hasPassword(archive: Archive): Promise<boolean> {
  const manifest = 'META-INF/manifest.xml';
  if (!archive.has(manifest)) return false;
  let isEncrypted = false;
  const xml = await archive.read(manifest, manifestBytesMax);
  await readWholeXml(xml, {
    open: (name) => {
      isEncrypted ||= name === 'encryption-data';
    },
    close: () => undefined,
    text: () => undefined,
    // Old programs name a DTD in the manifest, and we read no document with one.
  }).catch(() => undefined);
  return isEncrypted;
}

/** The number of each table by its name: the visible ones, or all if none is visible. */
async function listTables(archive: Archive): Promise<ReadonlyMap<string, number>> {
  const list = new TableList();
  await readWholeXml(await archive.read('content.xml', contentBytesMax), list);
  return list.visible.size > 0 ? list.visible : list.hidden;
}

class TableList implements XmlEvents {
  readonly visible = new Map<string, number>();
  readonly hidden = new Map<string, number>();
  readonly #hiddenStyles = new Set<string>();
  #style = '';
  #depth = 0;
  #count = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'style') this.#style = attributeOf(attributes, 'name') ?? '';
    else if (name === 'table-properties') this.#noteStyle(attributes);
    else if (name === 'table') {
      // A cell may hold a table of its own.
      if (this.#depth === 0) this.#noteTable(attributes);
      this.#depth += 1;
    }
  }

  close(name: string): void {
    if (name === 'table') this.#depth -= 1;
  }

  text(): void {}

  #noteStyle(attributes: Readonly<Record<string, string>>): void {
    if (attributeOf(attributes, 'display') === 'false' && this.#hiddenStyles.size < tablesMax)
      this.#hiddenStyles.add(this.#style);
  }

  #noteTable(attributes: Readonly<Record<string, string>>): void {
    const isHidden = this.#hiddenStyles.has(attributeOf(attributes, 'style-name') ?? '');
    if (this.#count < tablesMax)
      (isHidden ? this.hidden : this.visible).set(attributeOf(attributes, 'name') ?? '', this.#count);
    this.#count += 1;
  }
}
