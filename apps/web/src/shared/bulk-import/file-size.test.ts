import { expect, it } from 'vitest';
import { formatFileSize } from './file-size.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [999_999, '999 kB'],
  [1_000_000, '1.0 MB'],
  [52_428_800, '52.4 MB'],
])('a file of %i bytes is said to have %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
