import { describe, expect, it } from 'vitest';
import { detectedWords, headerWarning } from './detected-words.ts';

const detected = { encoding: 'utf-8', delimiter: ',', email_column: 'email', has_header_row: true, rows: 3 };

describe('what was detected in the file', () => {
  it('names encoding, delimiter and the email column', () => {
    expect(detectedWords(detected)).toBe('Read as UTF-8, separated by commas, emails in column “email”.');
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

describe('the headers checkbox against what the first row holds', () => {
  it('agrees: nothing is said', () => {
    expect(headerWarning(detected, true)).toBeNull();
    expect(headerWarning({ ...detected, has_header_row: false }, false)).toBeNull();
  });

  it('would drop an email that stands in the first row: said before it happens', () => {
    expect(headerWarning({ ...detected, has_header_row: false }, true)).toContain('not be verified');
  });

  it('would take headers for a row: said', () => {
    expect(headerWarning(detected, false)).toBe('The first row looks like headers.');
  });
});
