import type { QueryClient } from '@tanstack/react-query';

/**
 * Says what became of some work, after it was said that the work has started: the result of quick work arrives before the
 * answer to the call that started it.
 */
export function afterStart(queryClient: QueryClient, say: () => void): void {
  const isStarting = () => queryClient.isMutating({ predicate: ({ meta }) => meta?.startsWork === true }) > 0;
  if (!isStarting()) {
    say();
    return;
  }
  const stop = queryClient.getMutationCache().subscribe(() => {
    if (isStarting()) return;
    stop();
    // Those who wait for the call go first.
    setTimeout(say);
  });
}
