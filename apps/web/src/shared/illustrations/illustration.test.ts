import { expect, it } from 'vitest';
import { drawings } from './drawings.tsx';

it('§2 Message pages: there are fourteen named illustrations', () => {
  expect(Object.keys(drawings)).toHaveLength(14);
});
