import { type ComponentType, use } from 'react';
import type { LoaderFunction } from 'react-router';
import type { Guard } from './guards.ts';

/** Parts of a route. */
interface LatePage {
  readonly Component: ComponentType;
  readonly loader: LoaderFunction;
}

/**
 * Pages whose code is loaded on the first visit. The first page of all does not wait for its code, as it would with `lazy`:
 * the frame around it is drawn meanwhile. Later visits wait, and show the page before until then.
 */
export function createLatePages() {
  let isFirstPage = true;

  return function latePage(load: () => Promise<ComponentType>, guard?: Guard): LatePage {
    let loading: Promise<ComponentType> | undefined;
    let loaded: ComponentType | undefined;
    let hasFailed = false;

    const start = (): Promise<ComponentType> => {
      loading ??= load();
      return loading;
    };

    return {
      Component: function Page() {
        // Without `use` once it is there: it waits a moment even then, and the page before would stay.
        const Loaded = loaded ?? use(start());
        return <Loaded />;
      },
      loader: async (args) => {
        const isFirst = isFirstPage;
        isFirstPage = false;
        // Only here, or a page that failed would begin anew each time that React draws it.
        if (hasFailed) loading = undefined;
        hasFailed = false;
        const code = start();
        code.then(
          (page) => {
            loaded = page;
          },
          () => {
            hasFailed = true;
          },
        );
        const [answer] = await Promise.all([guard?.(args), isFirst ? undefined : code]);
        return answer ?? null;
      },
    };
  };
}
