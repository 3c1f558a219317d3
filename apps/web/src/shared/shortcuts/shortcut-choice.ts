/** Whether single keys do something in this browser. Speech input types letters, so people can turn it off (WCAG 2.1.4). */
const storageKey = 'assay.shortcuts';

const listeners = new Set<() => void>();

export const shortcutChoice = {
  isOn: (): boolean => localStorage.getItem(storageKey) !== 'off',
  turn: (isOn: boolean): void => {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
