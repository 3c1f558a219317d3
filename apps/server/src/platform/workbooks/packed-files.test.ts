import { describe, expect, it } from 'vitest';
import { buildOds, odsCell, odsRow } from './testing/build-ods.ts';
import { buildWorkbook } from './testing/build-workbook.ts';
import { buildZip } from './testing/build-zip.ts';
import { problemOf, readAll, sheetsOf } from './testing/read-workbook.ts';

const csv = (name: string, bytes: Buffer | string = 'email\njane@b.test\n') => ({ name, bytes });
const xlsx = (...names: string[]) =>
  buildWorkbook(names.map((name) => ({ name, rows: [[`${name}@b.test`]] })));

describe('a zip file of tables', () => {
  it('has its files as sheets, and the sheets of workbooks with several, in their order', async () => {
    const bytes = buildZip([
      csv('2026/leads.csv'),
      csv('one.xlsx', xlsx('a')),
      csv('two.XLSX', xlsx('b', 'c')),
      csv('old.ods', buildOds({ name: 'x', rows: odsRow(odsCell('ods@b.test')) })),
      csv('notes.txt', 'max@b.test'),
    ]);
    expect(await sheetsOf(bytes)).toEqual([
      '2026/leads.csv',
      'one.xlsx',
      'two.XLSX: b',
      'two.XLSX: c',
      'old.ods',
      'notes.txt',
    ]);
    expect(await readAll(bytes, '2026/leads.csv')).toBe('email\njane@b.test\n');
    expect(await readAll(bytes, 'two.XLSX: c')).toBe('c@b.test\n');
    expect(await readAll(bytes, 'old.ods')).toBe('ods@b.test\n');
  });

  it('leaves out folders, hidden files, twins of macOS and files of other kinds', async () => {
    const bytes = buildZip([
      csv('lists/', ''),
      csv('__MACOSX/lists/._leads.csv'),
      csv('.hidden.csv'),
      csv('lists/photo.jpg'),
      csv('more.zip'),
      csv('lists/leads.csv'),
    ]);
    expect(await sheetsOf(bytes)).toEqual(['lists/leads.csv']);
  });

  it('reads texts in their encoding, and tells names apart that differ in capital letters', async () => {
    const bytes = buildZip([
      csv('a.csv', Buffer.from('Zo\xe9 <zoe@b.test>\n', 'latin1')),
      csv('A.csv', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('max@b.test\n', 'utf16le')])),
    ]);
    expect(await readAll(bytes, 'a.csv')).toBe('Zoé <zoe@b.test>\n');
    expect(await readAll(bytes, 'A.csv')).toBe('max@b.test\n');
  });

  it('names a damaged workbook, and refuses it only when it is read', async () => {
    const bytes = buildZip([csv('bad.xlsx', 'noise'), csv('good.xlsx', xlsx('a'))]);
    expect(await sheetsOf(bytes)).toEqual(['bad.xlsx', 'good.xlsx']);
    expect(await readAll(bytes, 'good.xlsx')).toBe('a@b.test\n');
    expect(await problemOf(bytes, 'bad.xlsx')).toEqual({ kind: 'broken' });
  });
});

describe('hostile zip files', () => {
  const broken = { kind: 'broken' };
  const tooLarge = { kind: 'too_large' };

  it('never opens a zip file inside of it, whatever its name', async () => {
    const inner = buildZip([csv('leads.csv')]);
    expect(await problemOf(buildZip([csv('leads.xlsx', inner)]))).toEqual(broken);
    expect(await problemOf(buildZip([csv('leads.csv', inner)]))).toEqual({
      kind: 'other',
      looksLike: 'a spreadsheet or zip file',
    });
  });

  it.each([
    ['a text that packs like a bomb', [{ ...csv('a.csv'), claimedSize: 9 * 1024 * 1024 }], tooLarge],
    ['a workbook that packs like a bomb', [{ ...csv('a.ods'), claimedSize: 9 * 1024 * 1024 }], tooLarge],
    ['a text that is longer than its directory says', [{ ...csv('a.csv'), claimedSize: 3 }], broken],
    ['a text with a password', [{ ...csv('a.csv'), isEncrypted: true }], { kind: 'password' }],
    [
      'a workbook with a password',
      [{ ...csv('a.xlsx', xlsx('a')), isEncrypted: true }],
      { kind: 'password' },
    ],
    ['names that lead outside', [csv('../../etc/leads.csv')], broken],
    ['absolute names', [csv('/etc/leads.csv')], broken],
    ['names that cannot be chosen', [csv(`${'n'.repeat(300)}.csv`)], broken],
    ['more tables than we look at', Array.from({ length: 101 }, (_, index) => csv(`${index}.csv`)), tooLarge],
    ['text that is none', [csv('a.csv', Buffer.alloc(100))], { kind: 'other', looksLike: 'a binary file' }],
  ])('refuses %s', async (_what, parts, problem) => {
    expect(await problemOf(buildZip(parts))).toEqual(problem);
  });

  it('refuses files that share their bytes', async () => {
    const parts = [csv('a.csv'), { ...csv('b.csv'), beginsEarlierBy: 10 }];
    expect(await problemOf(buildZip(parts))).toEqual(broken);
  });
});
