import { type ReactNode, useEffect, useState } from 'react';
import { renderAfterPaint } from './render-after-paint.ts';

/**
 * Renders its children one paint after the rest of the page, so that a long page is not one long task. Use it only at the end of a
 * page: visible content below it would move.
 */
export function DrawnLater({ children }: { readonly children: ReactNode }) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => renderAfterPaint(() => setIsShown(true)), []);
  return isShown ? children : null;
}
