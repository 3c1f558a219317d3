import { expect, it } from 'vitest';
import { renderResults } from './search.ts';

it('shows an excerpt that ends after a whole word', () => {
  const entry = { url: '/docs', page: 'Guide', title: 'Lists', text: 'settlement '.repeat(30).trim() };
  expect(renderResults([entry], 'lists')).toMatch(/settlement settlement …<\/small>/);
  expect(renderResults([{ ...entry, text: 'settlement' }], 'lists')).toContain('<small>settlement</small>');
});
