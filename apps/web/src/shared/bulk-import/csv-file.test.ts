import { describe, expect, it } from 'vitest';
import { asCsvFile, isCsvFile } from './csv-file.ts';

describe('§5 Upload: only files of type text/csv', () => {
  it.each([
    ['customers.csv', 'text/csv'],
    ['CUSTOMERS.CSV', ''],
    ['customers.csv', 'application/vnd.ms-excel'],
    ['customers', 'text/csv'],
  ])('takes %s of type "%s"', (name, type) => {
    expect(isCsvFile({ name, type })).toBe(true);
  });

  it.each([
    ['customers.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['customers.xls', 'application/vnd.ms-excel'],
    ['customers.csv.zip', 'application/zip'],
    ['customers.txt', 'text/plain'],
    ['csv', ''],
  ])('refuses %s of type "%s"', (name, type) => {
    expect(isCsvFile({ name, type })).toBe(false);
  });

  it('sends as text/csv what another system calls differently, name and contents unchanged', async () => {
    const file = asCsvFile(new File(['jane@exists.test'], 'list.csv', { type: 'application/vnd.ms-excel' }));

    expect(file).toMatchObject({ name: 'list.csv', type: 'text/csv' });
    await expect(file.text()).resolves.toBe('jane@exists.test');
  });
});
