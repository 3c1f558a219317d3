import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = new URL('../../../../', import.meta.url);
const folders = [
  'apps/server/src',
  'apps/server/migrations',
  'packages/contract/src',
  'packages/verifier/src',
];
/** An editor or a checkout changes several files at once. */
const quietMs = 150;

/** Calls `onChange` after sources of the product's processes changed. Returns a function that ends this. */
export function watchSources(onChange: () => void): () => void {
  let timer: NodeJS.Timeout;
  const watchers = folders.map((folder) =>
    watch(fileURLToPath(new URL(folder, repository)), { recursive: true }, (_, name) => {
      if (!name || !/\.(ts|sql|js|json)$/.test(name) || name.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, quietMs);
      // A folder that cannot be watched any more, for example because it was moved, ends nothing else.
    }).on('error', () => undefined),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
