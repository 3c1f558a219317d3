/** The parts of a built file that matter to the plugins of this folder. */
export interface BuiltFile {
  readonly fileName: string;
  readonly isEntry?: boolean;
  /** Loaded by `import()`. */
  readonly isDynamicEntry?: boolean;
  readonly facadeModuleId?: string | null;
  readonly imports?: readonly string[];
  readonly moduleIds?: readonly string[];
  readonly code?: string;
}

/** These files and everything that they import before they run. */
export function loadedWith(starts: readonly BuiltFile[], files: readonly BuiltFile[]): Set<BuiltFile> {
  const named = new Map(files.map((file) => [file.fileName, file]));
  const loaded = new Set(starts);
  // A set visits what is added to it on the way.
  for (const { imports = [] } of loaded) {
    for (const name of imports) {
      const file = named.get(name);
      if (file) loaded.add(file);
    }
  }
  return loaded;
}
