import { type ComponentType, useEffect, useState } from 'react';
import type { LoaderFunction } from 'react-router';
import { renderAfterPaint } from '../shared/components/render-after-paint.ts';
import type { Guard } from './guards.ts';
import { PageLoading } from './page-loading.tsx';

export interface LatePageOptions {
  /** Shown while the code loads, if the page always begins with this. */
  readonly title?: string;
  readonly guard?: Guard;
}

/** Spread into a route. */
interface LatePage {
  readonly Component: ComponentType;
  readonly loader: LoaderFunction;
}

/**
 * Pages whose code loads on their first visit. While the app starts, a page does not wait for its code, as it would with
 * `lazy`, so that the frame around it is drawn at once. Later navigations wait for the code and keep the old page until then.
 */
export function createLatePages(isStarting: () => boolean) {
  let isAppFrameShown = false;
  return function latePage(
    load: () => Promise<ComponentType>,
    { title, guard }: LatePageOptions = {},
  ): LatePage {
    let loading: Promise<ComponentType> | undefined;
    let loaded: ComponentType | undefined;
    let hasFailed = false;

    const loadOnce = (): Promise<ComponentType> => {
      if (loading) return loading;
      loading = load();
      loading.then(
        (page) => {
          loaded = page;
        },
        () => {
          hasFailed = true;
        },
      );
      return loading;
    };

    /** Without `Suspense`, because React holds back what follows a fallback until it was shown for 300 ms. */
    function Page() {
      const [{ Loaded, error }, setState] = useState<{ Loaded?: ComponentType; error?: unknown }>(
        // Rendering the app frame and its first page together is a long task, even if the code is cached.
        loaded && isAppFrameShown ? { Loaded: loaded } : {},
      );
      useEffect(() => {
        isAppFrameShown = true;
        if (Loaded) return;
        loadOnce().then(
          (page) => renderAfterPaint(() => setState({ Loaded: page })),
          (reason: unknown) => setState({ error: reason }),
        );
      }, [Loaded]);
      if (error !== undefined) throw error;
      return Loaded ? <Loaded /> : <PageLoading title={title} />;
    }

    return {
      Component: Page,
      loader: async (args) => {
        if (!isStarting()) isAppFrameShown = true;
        // Tries again on the next visit.
        if (hasFailed) loading = undefined;
        hasFailed = false;
        const code = loadOnce();
        await Promise.all([guard?.(args), isStarting() ? undefined : code]);
        return null;
      },
    };
  };
}
