/** A browser's storage that never throws, for small things that can be lost without harm. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/** Of this tab. Cleared at sign-out, and when another person signs in. */
export const tabStorage = createSafeStorage(() => sessionStorage);
/** Of this browser, for all tabs and people. */
export const browserStorage = createSafeStorage(() => localStorage);

/** A storage may be full, and a browser may forbid it. Nothing is remembered then, and the page goes on. */
export function createSafeStorage(open: () => Storage): SafeStorage {
  const attempt = <Result>(use: (storage: Storage) => Result): Result | null => {
    try {
      return use(open());
    } catch (error) {
      console.warn(error);
      return null;
    }
  };
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key)),
    setItem: (key, value) => void attempt((storage) => storage.setItem(key, value)),
    removeItem: (key) => void attempt((storage) => storage.removeItem(key)),
    clear: () => void attempt((storage) => storage.clear()),
  };
}
