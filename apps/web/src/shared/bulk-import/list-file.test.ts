import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asSentFile, isListFile, isStillReadable, pastedFile } from './list-file.ts';

describe('§5 Upload: tables, texts and workbooks', () => {
  it.each([
    ['customers.csv', 'text/csv'],
    ['CUSTOMERS.CSV', ''],
    ['customers.csv', 'application/vnd.ms-excel'],
    ['customers', 'text/csv'],
    ['customers.tsv', 'text/tab-separated-values'],
    ['customers.txt', 'text/plain'],
    ['customers.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['Customers.XLSX', ''],
    ['customers.ods', 'application/vnd.oasis.opendocument.spreadsheet'],
    ['Customers.csv.zip', 'application/x-zip-compressed'],
  ])('takes %s of type "%s"', (name, type) => {
    expect(isListFile({ name, type })).toBe(true);
  });

  it.each([
    ['customers.xls', 'application/vnd.ms-excel'],
    ['customers.csv.gz', 'application/gzip'],
    ['customers.pdf', 'application/pdf'],
    ['csv', ''],
  ])('refuses %s of type "%s"', (name, type) => {
    expect(isListFile({ name, type })).toBe(false);
  });

  it('sends texts as text/csv, workbooks and zip files as such, name and contents unchanged', async () => {
    const text = asSentFile(new File(['jane@exists.test'], 'list.csv', { type: 'application/vnd.ms-excel' }));
    const workbook = asSentFile(new File(['x'], 'list.xlsx', { type: '' }));

    expect(text).toMatchObject({ name: 'list.csv', type: 'text/csv' });
    expect(workbook.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(asSentFile(new File(['x'], 'list.zip', { type: 'application/x-zip-compressed' })).type).toBe(
      'application/zip',
    );
    await expect(text.text()).resolves.toBe('jane@exists.test');
  });

  it("names the list of pasted addresses 'Pasted emails'", () => {
    expect(asSentFile(pastedFile('a@b.test')).name).toBe('Pasted emails.txt');
  });
});

it('a file is readable until it is changed or deleted on the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-chosen-'));
  const path = join(folder, 'chosen.csv');
  await writeFile(path, 'jane@exists.test');
  const chosen = await openAsBlob(path);
  await expect(isStillReadable(chosen)).resolves.toBe(true);

  await writeFile(path, 'jane@exists.test, max@exists.test');
  await expect(isStillReadable(chosen)).resolves.toBe(false);
  await rm(folder, { recursive: true });
  await expect(isStillReadable(chosen)).resolves.toBe(false);
  await expect(isStillReadable(pastedFile(''))).resolves.toBe(true);
});
