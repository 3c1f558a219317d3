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

/** Calls back after source files of the product's processes changed, until the function it returns is called. */
export function watchSources(onChange: () => void): () => void {
  let timer: NodeJS.Timeout;
  const watchers = folders.map((folder) =>
    watch(fileURLToPath(new URL(folder, repository)), { recursive: true }, (_, name) => {
      if (!name || !/\.(ts|sql|js|json)$/.test(name) || name.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, quietMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
