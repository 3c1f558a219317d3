let left: readonly File[] | undefined;

/** Leaves files that were dropped on a page without an import for the next page that has one. */
export function leaveFiles(files: readonly File[]): void {
  left = files;
}

/** The files that were left, once. */
export function takeLeftFiles(): readonly File[] | undefined {
  const files = left;
  left = undefined;
  return files;
}
