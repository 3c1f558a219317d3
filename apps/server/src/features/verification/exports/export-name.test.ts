import type { Verdict } from '@assay/contract';
import { expect, it } from 'vitest';
import { emailExportName } from './export-link.ts';

it.each<[verdicts: Verdict[], rows: 'distinct' | 'all', name: string]>([
  [['VALID'], 'distinct', 'customers - valid emails'],
  [['CATCH_ALL', 'VALID'], 'distinct', 'customers - valid and catch-all emails'],
  [['UNKNOWN', 'INVALID', 'VALID'], 'distinct', 'customers - valid, invalid, and unknown emails'],
  [['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'], 'distinct', 'customers - distinct emails'],
  [['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'], 'all', 'customers - all emails'],
])('an export of %j, rows %s, is named "%s"', (verdicts, rows, name) => {
  expect(emailExportName('customers', { verdicts, rows, safe: false })).toBe(name);
});

it('an export of what is safe to send to says so', () => {
  const order = { verdicts: ['VALID'], rows: 'distinct', safe: true } as const;

  expect(emailExportName('customers', { ...order, verdicts: [...order.verdicts] })).toBe(
    'customers - safe to send',
  );
});
