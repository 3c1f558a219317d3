import { expect, it } from 'vitest';
import { packFor } from './pack-sizes.ts';

it.each([
  [500, '2K'],
  [2_000, '2K'],
  [2_001, '10K'],
  [60_000, '250K'],
  [5_000_000, '1M'],
  [0, '10K'],
  [-300, '10K'],
])('for %i missing credits the pack of %s is offered', (missing, code) => {
  expect(packFor(missing)).toBe(code);
});
