import { type ReactNode, useDeferredValue } from 'react';

/**
 * What lies below the first screen is drawn right after it, so that a long page is not one long task. Only for what nothing
 * visible stands under.
 */
export function DrawnLater({ children }: { readonly children: ReactNode }) {
  const isItsTurn = useDeferredValue(true, false);
  return isItsTurn ? children : null;
}
