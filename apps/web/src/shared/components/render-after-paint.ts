import { startTransition } from 'react';

/**
 * Changes state after the next paint, so that the browser lays out and paints in two short tasks instead of a long one. Hidden
 * pages are not painted, so there it changes the state at once. Returns a function that cancels the change.
 */
export function renderAfterPaint(change: () => void): () => void {
  if (document.hidden) {
    startTransition(change);
    return () => {};
  }
  // The callback runs just before the paint, and React renders a transition in a later task.
  const frame = requestAnimationFrame(() => startTransition(change));
  return () => cancelAnimationFrame(frame);
}
