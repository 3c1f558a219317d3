import { useEffect, useState } from 'react';

const REVEAL_MS = 3000;

/** Shows a secret for a moment: it hides by itself, so that it is not left open on a screen. */
export function useShortReveal() {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => setShown(undefined), REVEAL_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return { shown, reveal: setShown, hide: () => setShown(undefined) };
}
