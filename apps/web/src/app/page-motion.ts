import { useEffect, useRef } from 'react';

const PAGE_TRANSITION_MS = 150;
const SCROLL_RESET_DELAY_MS = 350;

/** When the path changes, the page fades in, and a moment later scrolls to its top. */
export function usePageMotion(path: string): void {
  usePageTransition(path);
  useScrollReset(path);
}

/** Only the page's own part moves, never the sidebar. The element stays: what it holds keeps its state and its focus. */
function usePageTransition(path: string): void {
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    document.querySelector('main')?.animate([{ opacity: 0 }, { opacity: 1 }], {
      duration: PAGE_TRANSITION_MS,
      easing: 'ease-out',
    });
  }, [path]);
}

/** Later than the path changes, so that the new content is there. */
function useScrollReset(path: string): void {
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
