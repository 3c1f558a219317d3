import { describe, expect, it } from 'vitest';
import { countryOf, countryOptions, moveToCountry } from './countries.ts';

describe('countries of phone numbers', () => {
  it('are listed by name with their calling code', () => {
    expect(countryOptions).toContainEqual({ value: 'ES', label: 'Spain (+34)' });
    const labels = countryOptions.map(({ label }) => label);
    expect(labels.indexOf('Albania (+355)')).toBeLessThan(labels.indexOf('Spain (+34)'));
  });

  it('are known from the first digits on', () => {
    expect(countryOf('+34', '')).toBe('ES');
    expect(countryOf(' +34 600 12', '')).toBe('ES');
    expect(countryOf('', '')).toBe('');
    expect(countryOf('+', '')).toBe('');
    expect(countryOf('600123456', '')).toBe('');
  });

  it('that share a calling code are the chosen one until the digits tell', () => {
    expect(countryOf('+1 ', 'CA')).toBe('CA');
    expect(countryOf('+1 4155552671', 'CA')).toBe('US');
    expect(countryOf('+1 ', 'ES')).not.toBe('ES');
  });

  it('change the calling code and keep the digits after it', () => {
    expect(moveToCountry('', 'ES')).toBe('+34 ');
    expect(moveToCountry('+', 'ES')).toBe('+34 ');
    expect(moveToCountry('600 123 456', 'ES')).toBe('+34 600123456');
    expect(moveToCountry('+44 600123456', 'ES')).toBe('+34 600123456');
  });
});
