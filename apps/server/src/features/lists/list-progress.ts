/** 0 to 100, and 100 only when all is done. */
export function progressOf(completed: number, total: number): number {
  if (total === 0 || completed >= total) return 100;
  return Math.floor((completed / total) * 1_000) / 10;
}
