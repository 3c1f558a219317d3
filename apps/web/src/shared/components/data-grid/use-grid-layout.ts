import { type RefCallback, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Below this even a few columns are too narrow to read. */
const MIN_TABLE_WIDTH_PX = 620;

type Layout = 'table' | 'compact';

interface GridLayout {
  /** The grid, as wide as the page lets it be. */
  readonly rootRef: RefCallback<HTMLElement>;
  /** Grows beyond the grid if its columns need more room. */
  readonly tableRef: RefCallback<HTMLElement>;
  readonly layout: Layout;
}

/** Rows are compact where the table does not fit, so that no column hides behind a sideways scroll. */
export function useGridLayout(): GridLayout {
  const root = useRef<HTMLElement>(null);
  const table = useRef<HTMLElement>(null);
  const neededWidth = useRef(MIN_TABLE_WIDTH_PX);
  const [layout, setLayout] = useState<Layout>(firstGuess);

  // Runs after the browser has computed the layout and before it paints: asking earlier would make it compute twice.
  const choose = useCallback(() => {
    const width = root.current?.clientWidth ?? 0;
    if (width === 0 || !table.current) return;
    const isTable = root.current?.dataset.layout === 'table';
    const missing = table.current.offsetWidth - (table.current.parentElement?.clientWidth ?? 0);
    if (isTable && missing > 0) neededWidth.current = width + missing;
    const next = width < Math.max(neededWidth.current, MIN_TABLE_WIDTH_PX) ? 'compact' : 'table';
    flushSync(() => setLayout(next));
  }, []);
  return { rootRef: useWatched(root, choose), tableRef: useWatched(table, choose), layout };
}

/** Right for most grids, which are then drawn once. */
const firstGuess = (): Layout =>
  typeof window !== 'undefined' && window.innerWidth < MIN_TABLE_WIDTH_PX ? 'compact' : 'table';

function useWatched(place: { current: HTMLElement | null }, onResize: () => void): RefCallback<HTMLElement> {
  return useCallback(
    (element) => {
      place.current = element;
      if (!element) return;
      const observer = new ResizeObserver(onResize);
      observer.observe(element);
      return () => {
        place.current = null;
        observer.disconnect();
      };
    },
    [place, onResize],
  );
}
