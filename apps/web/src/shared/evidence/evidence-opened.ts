import { browserStorage } from '../cache/browser-storage.ts';

/** Whether the evidence of a result was ever opened in this browser. */
const storageKey = 'assay.evidence-opened';

const listeners = new Set<() => void>();

export const evidenceOpened = {
  was: (): boolean => browserStorage.getItem(storageKey) !== null,
  note: (): void => {
    if (evidenceOpened.was()) return;
    browserStorage.setItem(storageKey, 'yes');
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
