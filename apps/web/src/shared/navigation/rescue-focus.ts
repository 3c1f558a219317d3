let lastFocused: HTMLElement | null = null;

/** Dialogs and menus go away, so what opened them is where the focus returns to. */
const passing = '[role="dialog"], [role="menu"]';

/** Remembers where the focus was on the page itself, until the function it returns is called. */
export function rememberFocus(): () => void {
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(passing)) lastFocused = target;
  };
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/**
 * Called when a dialog closes or another page comes. If what had the focus is gone, the focus goes back to where it was
 * before, or to the main part of the page: from the top of the document a keyboard would have to walk all the way again.
 * The library calls this while the dialog is still in the document, so it looks one frame later.
 */
export function rescueFocus(): void {
  requestAnimationFrame(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost || document.querySelector('[role="dialog"]')) return;
    const place = lastFocused?.isConnected ? lastFocused : document.querySelector<HTMLElement>('main');
    place?.focus({ preventScroll: true });
  });
}
