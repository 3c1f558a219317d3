import { useEffect } from 'react';
import { holdsFiles } from '../shared/bulk-import/use-page-drop.ts';

/** Refuses files over pages that do not import any. Otherwise the browser would leave the app and show the file. */
export function useStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    // Before everything on the page, so that a page or an area that takes files has the last word.
    const options = { capture: true };
    window.addEventListener('dragover', refuse, options);
    window.addEventListener('drop', refuse, options);
    return () => {
      window.removeEventListener('dragover', refuse, options);
      window.removeEventListener('drop', refuse, options);
    };
  }, []);
}
