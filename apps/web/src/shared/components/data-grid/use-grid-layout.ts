import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Below this even a few columns are too narrow to read. */
const MIN_TABLE_WIDTH_PX = 620;

interface GridLayout {
  /** The grid, as wide as the page lets it be. */
  readonly rootRef: RefObject<HTMLDivElement | null>;
  /** The part that would scroll sideways. */
  readonly scrollRef: RefObject<HTMLElement | null>;
  readonly layout: 'table' | 'compact';
}

/** Rows are compact where the table does not fit, so that no column hides behind a sideways scroll. */
export function useGridLayout(): GridLayout {
  const rootRef = useRef<HTMLDivElement>(null);
  const scrollRef = useRef<HTMLElement>(null);
  const neededWidth = useRef(MIN_TABLE_WIDTH_PX);
  const [layout, setLayout] = useState<GridLayout['layout']>('table');

  const choose = useCallback(() => {
    const width = rootRef.current?.clientWidth ?? 0;
    const scroll = scrollRef.current;
    if (width === 0 || !scroll) return;
    const isTable = rootRef.current?.dataset.layout === 'table';
    if (isTable && scroll.scrollWidth > scroll.clientWidth) {
      neededWidth.current = width + scroll.scrollWidth - scroll.clientWidth;
    }
    setLayout(width < Math.max(neededWidth.current, MIN_TABLE_WIDTH_PX) ? 'compact' : 'table');
  }, []);

  // After every drawing: other rows may need another width.
  useLayoutEffect(choose);
  useLayoutEffect(() => {
    const root = rootRef.current;
    if (!root) return;
    const observer = new ResizeObserver(choose);
    observer.observe(root);
    return () => observer.disconnect();
  }, [choose]);
  return { rootRef, scrollRef, layout };
}
