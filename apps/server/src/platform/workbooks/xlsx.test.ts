import { describe, expect, it } from 'vitest';
import { buildWorkbook, type SheetCell, workbookParts } from './testing/build-workbook.ts';
import { buildZip } from './testing/build-zip.ts';
import { firstSheet, problemOf, readAll, sheetsOf, using } from './testing/read-workbook.ts';

const sheetOf = (rows: readonly (readonly SheetCell[])[], name = 'Sheet1') => ({ name, rows });

/** A workbook whose sheet is the given XML. */
function withSheetXml(xml: string): Buffer {
  const parts = workbookParts([sheetOf([['x']])]);
  return buildZip(parts.map((part) => (part.name.endsWith('sheet1.xml') ? { ...part, bytes: xml } : part)));
}

describe('reading a workbook', () => {
  it.each(['shared', 'inline'] as const)('gives a sheet as CSV, with %s texts', async (texts) => {
    const rows = [
      ['Name', 'Email', 'Note'],
      ['Doe, Jane', 'jane@b.test', 'says "hi"'],
      ['Élodie & <Co>', null, 'no mail'],
      [null, 'max@b.test'],
    ];
    expect(await readAll(buildWorkbook([sheetOf(rows)], { texts }))).toBe(
      'Name,Email,Note\n"Doe, Jane",jane@b.test,"says ""hi"""\nÉlodie & <Co>,,no mail\n,max@b.test\n',
    );
  });

  it('leaves rows without a value out', async () => {
    expect(await readAll(buildWorkbook([sheetOf([['a'], [], [null, ''], [' '], ['b']])]))).toBe('a\nb\n');
  });

  it('shows numbers, dates and flags as people see them, and formulas by their value', async () => {
    const row: SheetCell[] = [
      42,
      0.1 + 0.2,
      1e20,
      { value: 45_000, format: 'date' },
      { value: 45_000.75, format: 'dateTime' },
      { value: 45_000, format: 'ownDate' },
      { value: 0.5, format: 'percent' },
      { value: 3, format: 'twoDecimals' },
      true,
      { formula: 'A1&"@b.test"', value: 'jane@b.test' },
    ];
    expect(await readAll(buildWorkbook([sheetOf([row])]))).toBe(
      '42,0.3,100000000000000000000,2023-03-15,2023-03-15 18:00:00,2023-03-15,50%,3.00,TRUE,jane@b.test\n',
    );
  });

  it('counts days from 1904 where the workbook says so, and knows the leap day that 1900 never had', async () => {
    const rows = [[{ value: 1, format: 'date' } as const, { value: 61, format: 'date' } as const]];
    expect(await readAll(buildWorkbook([sheetOf(rows)]))).toBe('1900-01-01,1900-03-01\n');
    expect(await readAll(buildWorkbook([sheetOf(rows)], { isFrom1904: true }))).toBe(
      '1904-01-02,1904-03-02\n',
    );
  });

  it('names the visible sheets and reads each of them', async () => {
    const bytes = buildWorkbook([
      sheetOf([['a@b.test']], 'Clients & co'),
      { ...sheetOf([['hidden']], 'Lists'), isHidden: true },
      sheetOf([['c@d.test']], 'Leads'),
    ]);
    expect(await sheetsOf(bytes)).toEqual(['Clients & co', 'Leads']);
    expect(await readAll(bytes, 'Leads')).toBe('c@d.test\n');
  });

  it('reads texts in several fonts as one, without hints at pronunciation', async () => {
    const parts = workbookParts([sheetOf([['replaced']])]).map((part) =>
      part.name === 'xl/sharedStrings.xml'
        ? {
            ...part,
            bytes: '<sst><si><r><t>jane</t></r><r><t>@b.test</t></r><rPh><t>ジェーン</t></rPh></si></sst>',
          }
        : part,
    );
    expect(await readAll(buildZip(parts))).toBe('jane@b.test\n');
  });

  it('reads tags with a prefix, and cells that do not say where they are', async () => {
    const xml =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c><x:c t="str"><x:v>b</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    expect(await readAll(withSheetXml(xml))).toBe('a,b\n');
  });

  it('writes as many rows as there are, whatever the length of the pieces that arrive', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => [`name ${row}`, `person${row}@b.test`]);
    const text = await readAll(buildWorkbook([sheetOf(rows)]));
    expect(text.split('\n')).toHaveLength(3_001);
    expect(text).toContain('name 2999,person2999@b.test\n');
  });
});

describe('hostile and damaged workbooks', () => {
  const row = (cells: string) => `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`;
  const broken = { kind: 'broken' };
  const tooLarge = { kind: 'too_large' };

  it('refuses XML that declares entities, and expands none', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`;
    expect(await problemOf(withSheetXml(bomb))).toEqual(broken);
    const outside = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><worksheet/>';
    expect(await problemOf(withSheetXml(outside))).toEqual(broken);
  });

  it('refuses a part that packs like a bomb before it unpacks it', async () => {
    const parts = workbookParts([sheetOf([['a@b.test']])]).map((part) =>
      part.name.endsWith('sheet1.xml') ? { ...part, claimedSize: 9 * 1024 * 1024 } : part,
    );
    expect(await problemOf(buildZip(parts))).toEqual(tooLarge);
  });

  it('refuses a part that is longer than its directory says', async () => {
    const parts = workbookParts([sheetOf([['a@b.test']])]).map((part) =>
      part.name.endsWith('sheet1.xml') ? { ...part, claimedSize: 20 } : part,
    );
    expect(await problemOf(buildZip(parts))).toEqual(broken);
  });

  it('refuses a cell of many megabytes', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) => `${index * 7_919}`.padStart(40, 'x')).join('');
    const xml = `<worksheet><sheetData><row><c t="str"><v>${noise}</v></c></row></sheetData></worksheet>`;
    expect(await problemOf(withSheetXml(xml))).toEqual(tooLarge);
  });

  it.each([
    ['tags in tags', `<worksheet>${'<a>'.repeat(200)}`, broken],
    ['a cell in many pieces', row(`<c t="str">${'<v>aaaaaaaa</v>'.repeat(5_000)}</c>`), tooLarge],
    ['a row of many long cells', row(`<c t="str"><v>${'y'.repeat(30_000)}</v></c>`.repeat(40)), tooLarge],
    ['a long comment', `<worksheet><!--${'x-'.repeat(600_000)}--></worksheet>`, tooLarge],
  ])('refuses %s', async (_what, xml, problem) => {
    expect(await problemOf(withSheetXml(xml))).toEqual(problem);
  });

  it('refuses a directory of many parts with one name', async () => {
    const parts = Array.from({ length: 10_001 }, () => ({ name: 'a', bytes: '' }));
    expect(await problemOf(buildZip(parts))).toEqual(tooLarge);
  });

  it('refuses parts that share their bytes, whole or in part', async () => {
    const parts = workbookParts([sheetOf([['a@b.test']]), sheetOf([['c@d.test']], 'Sheet2')]);
    const first = parts.findIndex(({ name }) => name.endsWith('sheet1.xml'));
    const before = buildZip(parts.slice(0, first));
    const upToSecond = buildZip(parts.slice(0, first + 1));
    expect(await problemOf(buildZip(parts))).toBe('read');
    // Without its directory, the difference of the two is the local file of the first sheet.
    const sheetBytes =
      upToSecond.indexOf(Buffer.from('504b0102', 'hex')) - before.indexOf(Buffer.from('504b0102', 'hex'));
    for (const beginsEarlierBy of [sheetBytes, 1]) {
      const overlapping = parts.map((part) =>
        part.name.endsWith('sheet2.xml') ? { ...part, beginsEarlierBy } : part,
      );
      expect(await problemOf(buildZip(overlapping))).toEqual(broken);
    }
  });

  it('names the first 255 of very many sheets', async () => {
    const bytes = buildWorkbook(Array.from({ length: 3_000 }, (_, at) => sheetOf([[at]], `Sheet ${at}`)));
    const sheets = await sheetsOf(bytes);
    expect([sheets.length, sheets.at(-1)]).toEqual([255, 'Sheet 254']);
    expect(await readAll(bytes, 'Sheet 254')).toBe('254\n');
    // Their names fill a part that is too long to be one.
    const long = Array.from({ length: 9_000 }, (_, at) => sheetOf([], `${at} ${'x'.repeat(2_000)}`));
    expect(await problemOf(buildWorkbook(long))).toEqual(tooLarge);
  });

  it('hands the text of cells that repeat a long text on in small pieces', async () => {
    const rows = Array.from({ length: 130 }, () => ['z'.repeat(30_000)]);
    const longest = await using(buildWorkbook([sheetOf(rows)]), async (workbook) => {
      let length = 0;
      for await (const piece of firstSheet(workbook).read()) length = Math.max(length, piece.length);
      return length;
    });
    expect(longest).toBeLessThan(4_000_000);
  });

  it('refuses a sheet whose text is thousands of times as long as its workbook, at the limit', async () => {
    const bytes = buildWorkbook([sheetOf(Array.from({ length: 5_000 }, () => ['z'.repeat(30_000)]))]);
    let length = 0;
    const reading = using(bytes, async (workbook) => {
      for await (const piece of firstSheet(workbook).read()) length += piece.length;
    });
    await expect(reading).rejects.toMatchObject({ problem: tooLarge });
    expect(length).toBeLessThanOrEqual(Math.max(4 * 1024 * 1024, bytes.length * 100));
  });

  it('reads a sheet of much repeated text that is not beyond measure', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => [
      `p${row}@b.test`,
      'The Example Company, Berne'.repeat(8),
    ]);
    expect((await readAll(buildWorkbook([sheetOf(rows)]))).length).toBeGreaterThan(4 * 1024 * 1024);
  });

  it('refuses columns that Excel does not have, and cells out of order', async () => {
    expect(await problemOf(withSheetXml(row('<c r="ZZZZ1"><v>1</v></c>')))).toEqual(broken);
    expect(await problemOf(withSheetXml(row('<c r="B1"><v>1</v></c><c r="A1"><v>1</v></c>')))).toEqual(
      broken,
    );
  });

  it('gives an empty cell for a text that is not there', async () => {
    const xml =
      '<worksheet><sheetData><row><c t="s"><v>99</v></c><c t="str"><v>b</v></c></row></sheetData></worksheet>';
    expect(await readAll(withSheetXml(xml))).toBe(',b\n');
  });

  it('refuses parts with a password', async () => {
    const parts = workbookParts([sheetOf([['a']])]).map((part) => ({ ...part, isEncrypted: true }));
    expect(await problemOf(buildZip(parts))).toEqual({ kind: 'password' });
  });

  it('refuses a truncated file, names that lead outside, and XML that is cut off', async () => {
    const whole = buildWorkbook([sheetOf([['a@b.test']])]);
    expect(await problemOf(whole.subarray(0, whole.length - 30))).toEqual(broken);
    const outside = [...workbookParts([sheetOf([['a']])]), { name: '../../etc/passwd', bytes: 'x' }];
    expect(await problemOf(buildZip(outside))).toEqual(broken);
    expect(await problemOf(withSheetXml('<worksheet><sheetData><row>'))).toEqual(broken);
  });

  it('says what another zip file is', async () => {
    const looksLike = async (...names: string[]) =>
      problemOf(buildZip(names.map((name) => ({ name, bytes: '<x/>' }))));
    expect(await looksLike('photo.jpg')).toEqual({
      kind: 'other',
      looksLike: 'a zip file without a CSV, .xlsx or .ods file in it',
    });
    expect(await looksLike('mimetype', 'content.xml')).toEqual({
      kind: 'other',
      looksLike: 'an OpenDocument file without a table',
    });
  });
});
