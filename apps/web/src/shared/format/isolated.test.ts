import { describe, expect, it } from 'vitest';
import { isolated } from './isolated.ts';

describe('a name inside a sentence', () => {
  it.each(['March 2026', 'Müller', 'почта', '名簿 1'])('%s stays as it is', (name) => {
    expect(isolated(name)).toBe(name);
  });

  it.each(['قائمة 12', 'רשימה', 'March (مارس)'])(
    '%s is isolated, so that it moves nothing beside it',
    (name) => {
      expect(isolated(name)).toBe(`\u2068${name}\u2069`);
    },
  );
});
