import { inflateRawSync } from 'node:zlib';

const localHeader = 'PK\u0003\u0004';

/** The rows of each sheet of a workbook that has only text cells. */
export function readSheets(workbook: Buffer): string[][][] {
  return readZip(workbook)
    .filter(({ name }) => name.startsWith('xl/worksheets/'))
    .map(({ text }) => [...text.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) => cellsOf(row)));
}

const cellsOf = (row: string): string[] =>
  [...row.matchAll(/<c\/>|<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, text = '']) =>
    text
      .replace(/_x005F_/g, '_')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&'),
  );

/** Every entry starts with its own header, in which the name follows 30 bytes. */
export function readZip(zip: Buffer): { name: string; text: string }[] {
  const entries: { name: string; text: string }[] = [];
  for (let at = zip.indexOf(localHeader); at >= 0; at = zip.indexOf(localHeader, at + 4)) {
    const nameEnd = at + 30 + zip.readUInt16LE(at + 26);
    const start = nameEnd + zip.readUInt16LE(at + 28);
    const text = inflateRawSync(zip.subarray(start)).toString();
    entries.push({ name: zip.toString('utf8', at + 30, nameEnd), text });
  }
  return entries;
}
