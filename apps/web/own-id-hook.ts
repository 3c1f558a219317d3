import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ownHook = fileURLToPath(new URL('./src/shared/theme/use-id.ts', import.meta.url));

/** Builds the app with our hook for ids instead of the library's. Development and unit tests keep the library's. */
export function ownIdHook(): Plugin {
  let isFound = false;
  return {
    name: 'assay:own-id-hook',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.endsWith('/use-id.mjs') || !importer?.includes('/@mantine/hooks/')) return null;
      isFound = true;
      return ownHook;
    },
    buildEnd(error) {
      if (!error && !isFound) this.error('@mantine/hooks has no file use-id.mjs any more.');
    },
  };
}
