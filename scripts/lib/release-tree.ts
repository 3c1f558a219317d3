import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleServer } from './bundle-server.ts';

/** What a running server reads beside its code, and what its operator does. */
const files = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'apps/server/{migrations,src}/**/*.{sql,md,json,css,js,svg,ico,png}',
  'apps/web/dist/**/*',
  'deploy/**/*',
  'docs/**/*.md',
  'packages/client/package.json',
  'packages/verifier/data/*',
  'packages/*/src/**/*.{css,js,pem,zone}',
  'node_modules/@fontsource-variable/ibm-plex-sans/{package.json,files/ibm-plex-sans-latin{,-ext}-wght-normal.woff2}',
];

/** Processors by the names that Node and Debian give them. */
export const processors = { x64: 'amd64', arm64: 'arm64' } as const;
export type Processor = keyof typeof processors;

/**
 * Writes the product as it is installed: the bundled server, the built web app, and the Node that runs them, if one is wanted. It has the
 * paths of a checkout, so that units, image and docs are the same for both.
 */
export async function writeReleaseTree(
  root: string,
  folder: string,
  { commit, processor }: { commit: string | undefined; processor: Processor | null },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await bundleServer(root, folder);
  for (const path of globSync(files, { cwd: root, withFileTypes: true })) {
    if (!path.isFile()) continue;
    const name = join(path.parentPath, path.name).slice(root.length);
    if (/\/testing\/|\.test\.\w+$/.test(name)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  const { name, version, license, type } = JSON.parse(
    readFileSync(join(root, 'apps/server/package.json'), 'utf8'),
  );
  const manifest = `${JSON.stringify({ name, version, license, type, commit }, null, 2)}\n`;
  writeFileSync(join(folder, 'package.json'), manifest);
  writeFileSync(join(folder, 'apps/server/package.json'), manifest);
  if (processor !== null) copyNode(root, folder, processor);
}

/** Node comes from npm, as in a checkout. */
function copyNode(root: string, folder: string, processor: Processor): void {
  const program = `node_modules/node-linux-${processor}/bin/node`;
  mkdirSync(join(folder, dirname(program)), { recursive: true });
  cpSync(join(root, program), join(folder, program));
  chmodSync(join(folder, program), 0o755);
  execFileSync('strip', ['--strip-unneeded', join(folder, program)]);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(`../node-linux-${processor}/bin/node`, join(folder, 'node_modules/.bin/node'));
  symlinkSync('../../apps/server/bin/assay.mjs', join(folder, 'node_modules/.bin/assay'));
  chmodSync(join(folder, 'apps/server/bin/assay.mjs'), 0o755);
}
