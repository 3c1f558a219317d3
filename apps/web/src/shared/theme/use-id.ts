import { useId as useReactId } from 'react';

/**
 * Stands in for the library's hook of this name, which gives every field a new id after its first drawing, for pages drawn on
 * a server: that drew each field a second time, in the same long task. See vite.config.ts.
 */
export function useId(given?: string): string {
  const own = useReactId();
  return given ?? own;
}
