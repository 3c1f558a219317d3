import { expect, it } from 'vitest';
import { sharedPartsOf } from './shared-parts.ts';

const counts = { valid_emails: 3, invalid_emails: 0, catch_all_emails: 2, unknown_emails: 1 };
const labels = (safe: number | null, ...chosen: Parameters<typeof sharedPartsOf>[1]) =>
  sharedPartsOf({ email_metrics: counts, safe_emails: safe }, chosen).map(({ label }) => label);

it('offers the whole file, what is safe to send to, and each category with emails', () => {
  expect(labels(2)).toEqual(['All rows of the file', 'Safe to send', 'Valid', 'Catch all', 'Unknown']);
  expect(labels(null)).not.toContain('Safe to send');
  expect(labels(0)).not.toContain('Safe to send');
});

it('puts the chosen categories first, once', () => {
  expect(labels(null, 'CATCH_ALL')).toEqual(['Catch all', 'All rows of the file', 'Valid', 'Unknown']);
  expect(labels(null, 'UNKNOWN', 'VALID')[0]).toBe('Valid, Unknown');
  expect(labels(null, 'INVALID')[0]).toBe('All rows of the file');
});
