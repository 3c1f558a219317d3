import { useEffect, useState } from 'react';

const REVEAL_MS = 3000;

/** Shows a secret for a moment: it hides by itself, so that it is not left open on a screen. */
export function useShortReveal() {
  const [isRevealed, setIsRevealed] = useState(false);
  useEffect(() => {
    if (!isRevealed) return;
    const timer = setTimeout(() => setIsRevealed(false), REVEAL_MS);
    return () => clearTimeout(timer);
  }, [isRevealed]);
  return { isRevealed, reveal: () => setIsRevealed(true), hide: () => setIsRevealed(false) };
}
