import { expect, it } from 'vitest';
import { creditsText, emailsText, peopleText } from './count-words.ts';

it('counts are written in full, in the singular or plural', () => {
  expect([1, 2, 12_345].map(creditsText)).toEqual(['1 credit', '2 credits', '12,345 credits']);
  expect([1, 2_000].map(peopleText)).toEqual(['1 person', '2,000 people']);
  expect([1, 0].map(emailsText)).toEqual(['1 email', '0 emails']);
});
