/**
 * Leaves for another site. A button that waits for this keeps turning until the browser has left, and rests when it comes
 * back by its own back button.
 */
export function leaveFor(url: string): Promise<void> {
  window.location.assign(url);
  return new Promise((resolve) => {
    window.addEventListener('pageshow', () => resolve(), { once: true });
  });
}
