export interface PageView {
  /** Never the query: it may hold codes and addresses. */
  readonly path: string;
  readonly viewed_at: string;
}

export type PageViewSink = (view: PageView) => void;

/** Posts page views to the operator's collector; without one configured, nothing is counted and nothing leaves. */
export function createPageViewSink(
  collectorUrl: string | null,
  post: (url: string, body: string) => unknown,
): PageViewSink {
  if (collectorUrl === null) return () => {};
  return (view) => {
    post(collectorUrl, JSON.stringify(view));
  };
}

/** Tells the sink about a page once, however often it is drawn. */
export function createPageViewCounter(sink: PageViewSink, now: () => Date) {
  let lastPath: string | undefined;
  return (path: string): void => {
    if (path === lastPath) return;
    lastPath = path;
    sink({ path, viewed_at: now().toISOString() });
  };
}
