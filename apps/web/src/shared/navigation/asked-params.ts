import { useEffect } from 'react';
import { type NavigateOptions, useLocation, useSearchParams } from 'react-router';

/** What was asked for and is not shown yet. The page has one address, so all of its controls share this. */
export class AskedParams {
  #notShown: URLSearchParams[] = [];
  #shownKey: string | undefined;

  ask(params: URLSearchParams): void {
    this.#notShown.push(params);
  }

  latest(shown: URLSearchParams): URLSearchParams {
    return this.#notShown.at(-1) ?? shown;
  }

  /** The page shows a place, known by its key: what was asked before is over, and all of it if it went elsewhere. */
  onShown(key: string, shown: URLSearchParams): void {
    if (key === this.#shownKey) return;
    this.#shownKey = key;
    const place = this.#notShown.findIndex((params) => params.toString() === shown.toString());
    this.#notShown = place < 0 ? [] : this.#notShown.slice(place + 1);
  }
}

const ofPage = new AskedParams();

/**
 * The parameters of the address, for controls that each change a part of them. A second change may come before the page
 * shows the first: it starts from `asked()`, so that it does not undo the first.
 */
export function useAskedParams() {
  const [shown, setParams] = useSearchParams();
  const { key } = useLocation();
  useEffect(() => ofPage.onShown(key, shown), [key, shown]);

  return {
    shown,
    asked: () => ofPage.latest(shown),
    ask: (params: URLSearchParams, options?: NavigateOptions) => {
      ofPage.ask(params);
      setParams(params, options);
    },
  };
}
