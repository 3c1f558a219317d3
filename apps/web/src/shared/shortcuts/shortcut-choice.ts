import { browserStorage } from '../cache/browser-storage.ts';

/** Whether single keys do something in this browser. Speech input types letters, so people can turn it off (WCAG 2.1.4). */
const storageKey = 'assay.shortcuts';

const listeners = new Set<() => void>();

export const shortcutChoice = {
  isOn: (): boolean => browserStorage.getItem(storageKey) !== 'off',
  turn: (isOn: boolean): void => {
    if (isOn) browserStorage.removeItem(storageKey);
    else browserStorage.setItem(storageKey, 'off');
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
