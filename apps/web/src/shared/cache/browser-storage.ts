/** The part of a browser's storage that is used for small things, all of which can be lost without harm. */
type SmallStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/** Of this tab. Cleared at sign-out, and when another person signs in. */
export const tabStorage = storageThatMayFail(() => sessionStorage);
/** Of this browser, for all tabs and people. */
export const browserStorage = storageThatMayFail(() => localStorage);

/** A storage may be full, and a browser may forbid it. Nothing is remembered then, and the page goes on. */
export function storageThatMayFail(open: () => Storage): SmallStorage {
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
