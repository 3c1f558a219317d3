import { useId as useReactId } from 'react';

/**
 * Replaces the library's hook of this name in the built app. The library gives each field a new id after its first render, for
 * the sake of pages rendered on a server, so each field would render twice in the same task.
 */
export function useId(given?: string): string {
  const own = useReactId();
  return given ?? own;
}
