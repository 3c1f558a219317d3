import { expect, it } from 'vitest';
import { aboutWords, whoWords } from './activity-words.ts';

it('names the API key that acted; the key with all scopes has no name', () => {
  expect(whoWords({ by: 'api_key', api_key_name: 'Web shop' })).toBe('API key Web shop');
  expect(whoWords({ by: 'api_key', api_key_name: null })).toBe('API key');
  expect(whoWords({ by: 'customer', api_key_name: null })).toBe('You');
});

it('names what it was done to, and a list without a name by its id', () => {
  expect(aboutWords({ about: 'Spring', list_id: '3f2a91bc-77' })).toBe('Spring');
  expect(aboutWords({ about: null, list_id: '3f2a91bc-77' })).toBe('List 3f2a91bc');
  expect(aboutWords({ about: null, list_id: null })).toBeNull();
});
