import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildOds, odsCell, odsContent, odsRow, odsType } from './testing/build-ods.ts';
import { buildZip } from './testing/build-zip.ts';
import { problemOf, readAll, sheetsOf } from './testing/read-workbook.ts';

const table = (rows: string, name = 'Sheet1') => ({ name, rows });
const broken = { kind: 'broken' };
const tooLarge = { kind: 'too_large' };

describe('reading an OpenDocument spreadsheet', () => {
  it('gives a table as CSV, with gaps where cells are empty', async () => {
    const rows = [
      odsRow(odsCell('Name'), odsCell('Email'), odsCell('Note')),
      odsRow(odsCell('Doe, Jane'), odsCell('jane@b.test'), odsCell('says "hi"')),
      odsRow('<table:table-cell table:number-columns-repeated="2"/>', odsCell('no mail')),
    ].join('');
    expect(await readAll(buildOds(table(rows)))).toBe(
      'Name,Email,Note\n"Doe, Jane",jane@b.test,"says ""hi"""\n,,no mail\n',
    );
  });

  it('repeats cells and rows that have a value, and leaves out those without one', async () => {
    const rows =
      `<table:table-row table:number-rows-repeated="2">${odsCell('a', 'table:number-columns-repeated="3"')}${odsCell('b')}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await readAll(buildOds(table(rows)))).toBe('a,a,a,b\na,a,a,b\n');
  });

  it('shows what people see, and dates in ISO 8601', async () => {
    const row = odsRow(
      odsCell('50%', 'office:value-type="percentage" office:value="0.5"'),
      odsCell('15.03.23', 'office:value-type="date" office:date-value="2023-03-15"'),
      odsCell('15.03.23 18:00', 'office:value-type="date" office:date-value="2023-03-15T18:00:00"'),
      '<table:table-cell office:value-type="float" office:value="42"/>',
      odsCell('<text:a>jane@b.test</text:a>'),
      odsCell('Jane<text:s text:c="2"/><text:span>Doe</text:span></text:p><text:p>CEO'),
      '<table:table-cell><office:annotation><text:p>a comment</text:p></office:annotation><text:p>shown</text:p></table:table-cell>',
    );
    expect(await readAll(buildOds(table(row)))).toBe(
      '50%,2023-03-15,2023-03-15 18:00:00,42,jane@b.test,"Jane  Doe\nCEO",shown\n',
    );
  });

  it('names the visible tables, reads each of them, and takes no table inside of a cell for one', async () => {
    const inner = `<table:table-cell><table:table table:name="Inner">${odsRow(odsCell('inner'))}</table:table></table:table-cell>`;
    const bytes = buildOds(
      table(odsRow(inner, odsCell('a@b.test')), 'Clients'),
      { ...table(odsRow(odsCell('hidden')), 'Lists'), isHidden: true },
      table(odsRow(odsCell('c@d.test')), 'Leads'),
    );
    expect(await sheetsOf(bytes)).toEqual(['Clients', 'Leads']);
    expect(await readAll(bytes, 'Clients')).toBe(',a@b.test\n');
    expect(await readAll(bytes, 'Leads')).toBe('c@d.test\n');
  });
});

describe('hostile and damaged OpenDocument spreadsheets', () => {
  const repeated = (rows: number, cells: number, text: string) =>
    `<table:table-row table:number-rows-repeated="${rows}">${odsCell(text, `table:number-columns-repeated="${cells}"`)}</table:table-row>`;

  it.each([
    ['a cell in a million rows', repeated(1_048_576, 1, 'yyyy'), tooLarge],
    ['a long cell in all columns', repeated(1, 16_384, 'y'.repeat(100)), tooLarge],
    ['rows without number', repeated(1e15, 1, 'y'), broken],
    ['a row that is repeated 1.5 times', repeated(1.5, 1, 'y'), broken],
    ['more columns than there are', odsRow(odsCell('a', 'table:number-columns-repeated="99999"')), broken],
    [
      'columns beyond the last',
      odsRow(`<table:table-cell table:number-columns-repeated="16384"/>${odsCell('a')}`),
      broken,
    ],
    ['spaces without end', odsRow(odsCell('<text:s text:c="1001"/>')), broken],
    ['a table that is cut off', '<table:table-row>', broken],
  ])('refuses %s', async (_what, rows, problem) => {
    expect(await problemOf(buildOds(table(rows)))).toEqual(problem);
  });

  it('refuses a row that becomes many megabytes at once, however long the file is', async () => {
    const content = odsContent([table(repeated(1_000_000, 1, 'y'.repeat(20)))]);
    const noise = { name: 'Pictures/1.png', bytes: randomBytes(300_000) };
    expect(await problemOf(buildZip([odsType, { name: 'content.xml', bytes: content }, noise]))).toEqual(
      tooLarge,
    );
  });

  it('refuses entities and expands none', async () => {
    const content = `<!DOCTYPE x [<!ENTITY a "aaaa">]>${odsContent([table(odsRow(odsCell('&a;')))]).replace(/^<\?.*?\?>/, '')}`;
    const bytes = buildZip([odsType, { name: 'content.xml', bytes: content }]);
    expect(await problemOf(bytes)).toEqual(broken);
  });

  it('refuses a document with a password, whose parts are noise', async () => {
    const manifest =
      '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>';
    const bytes = buildZip([
      odsType,
      { name: 'content.xml', bytes: 'noise' },
      { name: 'META-INF/manifest.xml', bytes: manifest },
    ]);
    expect(await problemOf(bytes)).toEqual({ kind: 'password' });
  });

  it('reads a document whose manifest names a DTD, as old programs write it', async () => {
    const bytes = buildZip([
      odsType,
      { name: 'content.xml', bytes: odsContent([table(odsRow(odsCell('a@b.test')))]) },
      { name: 'META-INF/manifest.xml', bytes: '<!DOCTYPE manifest PUBLIC "x" "Manifest.dtd"><manifest/>' },
    ]);
    expect(await readAll(bytes)).toBe('a@b.test\n');
  });
});
