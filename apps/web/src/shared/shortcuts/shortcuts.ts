/** A key that does something wherever the reader is not typing. */
export interface Shortcut {
  readonly key: string;
  readonly does: string;
  /** Where it leads, if the page has no element that it moves the focus to. */
  readonly path?: string;
}

export const shortcuts: readonly Shortcut[] = [
  { key: 'v', does: 'Verify a single email', path: '/email-verification/single' },
  { key: 'l', does: 'Go to the lists', path: '/email-verification/bulk' },
  { key: 'b', does: 'Go to billing', path: '/billing' },
  { key: 'a', does: 'Go to the account', path: '/account' },
  { key: '/', does: 'Search on this page' },
  { key: '?', does: 'Show the keyboard shortcuts' },
];

/** Elements with this attribute get the focus when their key is pressed. */
export const shortcutTarget = (key: '/' | 'v') => ({ 'data-shortcut': key });

/** Moves the focus to the element of a key; false where the page has none. */
export function focusTargetOf(key: string): boolean {
  const target = document.querySelector<HTMLElement>(`[data-shortcut="${CSS.escape(key)}"]`);
  target?.focus();
  return target !== null;
}

/** The part of a key event that decides. */
export interface PressedKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
  readonly defaultPrevented: boolean;
}

const modifiers = ['altKey', 'ctrlKey', 'metaKey', 'repeat', 'defaultPrevented'] as const;

/** The shortcut of a key, unless the key is part of something else. */
export const shortcutOf = (pressed: PressedKey): Shortcut | undefined =>
  modifiers.some((modifier) => pressed[modifier])
    ? undefined
    : shortcuts.find(({ key }) => key === pressed.key);
