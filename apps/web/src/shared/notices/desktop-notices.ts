import { browserStorage } from '../cache/browser-storage.ts';

/** Whether this browser shows a desktop notification when a list is complete. The customer turns it on with a click. */
const storageKey = 'assay.desktop-notices';

const listeners = new Set<() => void>();
const changed = (): void => {
  for (const listener of listeners) listener();
};

export const desktopNotices = {
  isSupported: (): boolean => 'Notification' in globalThis,
  isOn: (): boolean =>
    desktopNotices.isSupported() &&
    Notification.permission === 'granted' &&
    browserStorage.getItem(storageKey) === 'on',
  /** Asks for the permission where it is missing. False when the browser refuses. */
  turnOn: async (): Promise<boolean> => {
    if ((await Notification.requestPermission()) !== 'granted') return false;
    browserStorage.setItem(storageKey, 'on');
    changed();
    return true;
  },
  turnOff: (): void => {
    browserStorage.removeItem(storageKey);
    changed();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
