import { expect, it } from 'vitest';
import { compactTaxNumber, taxNumberKindOf } from './tax-numbers.ts';

it.each([
  ['DE', 'DE 123 456 789', 'eu_vat', 'DE123456789'],
  ['DE', '123.456.789', 'eu_vat', 'DE123456789'],
  ['GR', '123456789', 'eu_vat', 'EL123456789'],
  ['GB', 'gb 123-4567-89', 'gb_vat', 'GB123456789'],
  ['CH', ' CHE-123.456.789 MWST ', 'ch_vat', 'CHE-123.456.789 MWST'],
  ['FR', '', 'eu_vat', ''],
  ['AQ', '1', undefined, '1'],
])('%s %j is a number of kind %s: %j', (country, typed, kind, compact) => {
  expect([taxNumberKindOf(country), compactTaxNumber(country, typed)]).toEqual([kind, compact]);
});
