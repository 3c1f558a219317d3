let lastFocused: HTMLElement | null = null;

/** Dialogs and menus disappear, so the focus returns to the element that opened them. */
const passing = '[role="dialog"], [role="menu"]';

/** Remembers which element of the page had the focus last, until the returned function is called. */
export function rememberFocus(): () => void {
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(passing)) lastFocused = target;
  };
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/** How many frames a dialog may take to disappear after it has closed; on a busy machine that is more than one. */
const closingFramesMax = 120;

/**
 * Called when a dialog closes or the page changes. If the focused element is gone, moves the focus to the element that
 * had it before, or to the main part of the page; else a keyboard would start at the top of the document again.
 * The library calls this while the dialog is still in the document, so it waits until the dialog is gone.
 */
export function rescueFocus(framesLeft = closingFramesMax): void {
  requestAnimationFrame(() => {
    // Until then the focus may still be on a button of the closing dialog.
    if (document.querySelector('[role="dialog"]') && framesLeft > 0) return rescueFocus(framesLeft - 1);
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost) return;
    const place = lastFocused?.isConnected ? lastFocused : document.querySelector<HTMLElement>('main');
    place?.focus({ preventScroll: true });
  });
}
