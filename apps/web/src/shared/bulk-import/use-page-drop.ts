import { useEffect, useState } from 'react';

export const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
const isInDropArea = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('[data-drop-area]') !== null;

/** Otherwise the browser would leave the page and show the file. */
function takeFiles(event: DragEvent): void {
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
}

/** Takes files that are dropped anywhere on the page, outside of drop areas. Says whether files are over the page. */
export function usePageDrop(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      takeFiles(event);
      setIsOver(!isInDropArea(event));
    };
    // It has left the window if it goes to no other element.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (!isInDropArea(event)) onDrop([...(event.dataTransfer?.files ?? [])]);
    };
    // Files that no page takes get to the window (`app/use-stray-drops.ts`).
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [onDrop]);
  return isOver;
}
