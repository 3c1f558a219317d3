import type { ImportedFile } from './use-bulk-import.ts';

/** How many files become lists: those that cannot be used are not passed over in silence. */
export function filesWords(files: readonly Pick<ImportedFile<unknown>, 'outcome'>[]): string {
  const unusable = files.filter(({ outcome }) => outcome.kind === 'failed').length;
  if (unusable === 0) return `${files.length} files, a list for each`;
  const usable = files.length - unusable;
  const lists = usable === 1 ? '1 list' : `${usable === 0 ? 'no' : usable} lists`;
  return `${files.length} files, ${lists}: ${unusable} cannot be used`;
}
