import { describe, expect, it } from 'vitest';
import { shortcutOf, shortcuts } from './shortcuts.ts';

const plain = { altKey: false, ctrlKey: false, metaKey: false, repeat: false, defaultPrevented: false };

describe('keyboard shortcuts', () => {
  it('have a key each', () => {
    expect(new Set(shortcuts.map(({ key }) => key)).size).toBe(shortcuts.length);
    expect(shortcutOf({ ...plain, key: 'b' })?.path).toBe('/billing');
    expect(shortcutOf({ ...plain, key: 'x' })).toBeUndefined();
  });

  it.each(['altKey', 'ctrlKey', 'metaKey', 'repeat', 'defaultPrevented'] as const)(
    'leave a key with %s to the browser',
    (modifier) => {
      expect(shortcutOf({ ...plain, key: 'b', [modifier]: true })).toBeUndefined();
    },
  );
});
