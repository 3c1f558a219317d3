import { describe, expect, it } from 'vitest';
import { brokenQuotesWords, detectedWords, headerWarning, otherColumnsWords } from './detected-words.ts';

const detected = {
  format: 'csv' as const,
  encoding: 'utf-8',
  delimiter: ',',
  email_column: 'email',
  email_column_number: 1,
  email_columns: ['email'],
  has_header_row: true,
  skipped_rows: 0,
  broken_quotes: { rows: 0, first: [] },
  rows: 3,
};

describe('what was detected in the file', () => {
  it('names encoding, delimiter and the email column', () => {
    expect(detectedWords(detected)).toBe('Read as UTF-8, separated by commas, emails in column “email”.');
  });

  it('names the sheet of a workbook, and calls a text without a table a list', () => {
    expect(detectedWords({ ...detected, format: 'xlsx', sheet: 'Clients' })).toBe(
      'Read from sheet “Clients”, emails in column “email”.',
    );
    expect(detectedWords({ ...detected, format: 'addresses' })).toBe('Read as a list of emails.');
  });

  it('names the column by its number when the first row holds addresses', () => {
    const headless = {
      ...detected,
      encoding: 'windows-1252',
      delimiter: ';',
      email_column: '2',
      has_header_row: false,
    };
    expect(detectedWords(headless)).toBe(
      'Read as Windows-1252, separated by semicolons, emails in column 2.',
    );
  });
});

describe('rows above the table', () => {
  it('are said to be left out', () => {
    expect(detectedWords({ ...detected, skipped_rows: 1 })).toContain('The row above the table is left out.');
    expect(detectedWords({ ...detected, skipped_rows: 3 })).toContain(
      'The 3 rows above the table are left out.',
    );
  });
});

describe('several columns of emails', () => {
  it('are named, and the one that is verified', () => {
    expect(otherColumnsWords({ ...detected, email_columns: ['email', 'Work email'] })).toBe(
      'Emails are in column “email” and column “Work email”. Only those in column “email” are verified.',
    );
    expect(otherColumnsWords(detected)).toBeNull();
  });
});

describe('the headers checkbox against what the first row holds', () => {
  it('agrees: nothing is said', () => {
    expect(headerWarning(detected, true)).toBeNull();
    expect(headerWarning({ ...detected, has_header_row: false }, false)).toBeNull();
  });

  it('warns before it drops an email in the first row', () => {
    expect(headerWarning({ ...detected, has_header_row: false }, true)).toContain('not be verified');
  });

  it('would take headers for a row: said', () => {
    expect(headerWarning(detected, false)).toBe('The first row looks like headers.');
  });
});

describe('broken quotes', () => {
  it('are named by their rows', () => {
    const words = (rows: number, first: number[]) =>
      brokenQuotesWords({ ...detected, broken_quotes: { rows, first } });
    expect(words(0, [])).toBeNull();
    expect(words(1, [7])).toBe('A quote is broken in row 7. We read it as text: check that row.');
    expect(words(2, [7, 9])).toBe(
      'Quotes are broken in rows 7 and 9. We read them as text: check those rows.',
    );
    expect(words(1_207, [1, 2, 3, 4, 5])).toContain('rows 1, 2, 3, 4, and 5, and 1,202 more.');
  });
});
