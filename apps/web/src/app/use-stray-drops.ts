import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { leaveFiles } from '../shared/bulk-import/left-files.ts';
import { holdsFiles } from '../shared/bulk-import/use-page-drop.ts';

/** The page that imports files of pages without an import. */
const importPath = '/email-verification/bulk';

/** A dialog is not left for a file that is dropped beside it. */
const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/**
 * Files that are dropped on a page without an import of its own go to the page that has one. Otherwise the browser would
 * leave the app and show the file. Says whether such files are over the page.
 */
export function useStrayDrops(): boolean {
  const navigate = useNavigate();
  const [isOver, setIsOver] = useState(false);
  const take = useCallback(
    (event: DragEvent) => {
      setIsOver(false);
      if (!holdsFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (isDialogOpen()) return;
      leaveFiles([...(event.dataTransfer?.files ?? [])]);
      void navigate(importPath);
    },
    [navigate],
  );
  useEffect(() => {
    const over = (event: DragEvent) => {
      // A page or an area that takes files itself has taken the event already.
      const isStray = holdsFiles(event) && !event.defaultPrevented;
      const canTake = isStray && !isDialogOpen();
      if (isStray) event.preventDefault();
      if (isStray && event.dataTransfer) event.dataTransfer.dropEffect = canTake ? 'copy' : 'none';
      setIsOver(canTake);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    // After the listeners of pages, which are at the document (`use-page-drop.ts`).
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', take);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', take);
    };
  }, [take]);
  return isOver;
}
