import { expect, it } from 'vitest';
import { percentDone } from './percent-done.ts';

it('§2 List detail: percent is the higher of the server progress and the live progress, rounded up', () => {
  expect(percentDone(12.1, 40.2)).toBe(41);
  expect(percentDone(55.01, 40)).toBe(56);
  expect(percentDone(0, undefined)).toBe(0);
  expect(percentDone(100, 99)).toBe(100);
});
