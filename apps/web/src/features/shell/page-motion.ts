import { type RefObject, useEffect, useRef } from 'react';

const PAGE_TRANSITION_MS = 150;
const SCROLL_RESET_DELAY_MS = 350;

/** A page fades in when the path changes. The element stays: what it holds keeps its state and its focus. */
export function usePageTransition(path: string): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    page.current?.animate([{ opacity: 0 }, { opacity: 1 }], {
      duration: PAGE_TRANSITION_MS,
      easing: 'ease-out',
    });
  }, [path]);
  return page;
}

/** The page goes back to its top a moment after the path changed, when the new content stands. */
export function useScrollReset(path: string): void {
  const settledPath = useRef(path);
  useEffect(() => {
    if (settledPath.current === path) return;
    const timer = setTimeout(() => {
      settledPath.current = path;
      window.scrollTo({ top: 0 });
    }, SCROLL_RESET_DELAY_MS);
    return () => clearTimeout(timer);
  }, [path]);
}
