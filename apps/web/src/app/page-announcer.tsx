import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { rememberFocus, rescueFocus } from '../shared/navigation/rescue-focus.ts';

/** Says the title of each page that comes after the first, which browsers say only for pages that they load themselves. */
export function PageAnnouncer({ path }: { path: string }) {
  const [title, setTitle] = useState('');
  const firstPath = useRef(path);
  useEffect(() => rememberFocus(), []);
  useEffect(() => {
    if (path === firstPath.current) return;
    firstPath.current = '';
    rescueFocus();
    // Not how far a list is, which changes all the time.
    const announce = () => setTitle(document.title.replace(/^(\d+%|Paused) · /, ''));
    announce();
    // A list's page learns its name later.
    const observer = new MutationObserver(announce);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [path]);
  return (
    <VisuallyHidden aria-live="polite" role="status" data-testid="page-announcer">
      {title}
    </VisuallyHidden>
  );
}
