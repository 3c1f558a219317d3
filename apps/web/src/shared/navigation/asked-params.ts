import { useEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

/**
 * The parameters of the address, for controls that each change a part of them. A second change may come before the page
 * shows the first: it starts from `asked()`, so that it does not undo the first.
 */
export function useAskedParams() {
  const [shown, setParams] = useSearchParams();
  const latest = useRef<URLSearchParams>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page now shows what was asked for, or went elsewhere
  useEffect(() => {
    latest.current = undefined;
  }, [shown]);

  return {
    shown,
    asked: () => latest.current ?? shown,
    ask: (params: URLSearchParams, options?: NavigateOptions) => {
      latest.current = params;
      setParams(params, options);
    },
  };
}
