import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { shortcutChoice } from '../../shared/shortcuts/shortcut-choice.ts';
import { focusTargetOf, type Shortcut, shortcutOf } from '../../shared/shortcuts/shortcuts.ts';

/** Where keys are typed text or already mean something. */
const busy = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** Reacts to single keys, unless the customer turned that off. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const follow = async ({ key, path }: Shortcut): Promise<void> => {
    if (key === '?') return onHelp();
    if (focusTargetOf(key) || path === undefined) return;
    await navigate(path);
    focusWhenShown(key);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const shortcut = shortcutOf(event);
    const isBusy = event.target instanceof Element && event.target.closest(busy) !== null;
    if (!shortcut || isBusy || !shortcutChoice.isOn() || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    void follow(shortcut);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** How many frames a page may take to appear after the navigation to it. */
const framesMax = 120;

function focusWhenShown(key: string, framesLeft = framesMax): void {
  if (focusTargetOf(key) || framesLeft === 0) return;
  requestAnimationFrame(() => focusWhenShown(key, framesLeft - 1));
}
