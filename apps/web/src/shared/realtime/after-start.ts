import type { QueryClient } from '@tanstack/react-query';

/**
 * Shows the result of some work after the message that the work has started. The event of quick work arrives before the
 * answer to the call that starts it.
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
    // Callers that await the start show their message first.
    setTimeout(say);
  });
}
