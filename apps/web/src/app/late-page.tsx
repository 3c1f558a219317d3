import { type ComponentType, use } from 'react';
import type { LoaderFunction } from 'react-router';
import type { Guard } from './guards.ts';

/** Parts of a route. */
interface LatePage {
  readonly Component: ComponentType;
  readonly loader: LoaderFunction;
}

/**
 * A page whose code is loaded on the first visit. The route does not wait for it, as it would with `lazy`: the first load
 * of the app draws the frame around the page meanwhile, and later visits show the page before until this one is there.
 */
export function latePage(load: () => Promise<ComponentType>, guard?: Guard): LatePage {
  let loading: Promise<ComponentType> | undefined;
  let hasFailed = false;

  const start = () => {
    loading ??= load();
    return loading;
  };

  return {
    Component: function Page() {
      const Loaded = use(start());
      return <Loaded />;
    },
    // Runs before the frame is drawn, so that the code is on its way.
    loader: (args) => {
      if (hasFailed) loading = undefined;
      hasFailed = false;
      start().catch(() => {
        // The page itself fails with it, and the next visit tries again.
        hasFailed = true;
      });
      return guard?.(args) ?? null;
    },
  };
}
