import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { productEnvironment, productNode, root } from './install.mjs';
import { runChild } from './run-child.mjs';

const dist = join(root, 'apps/web/dist');
const stampFile = join(dist, '.sources');

/** The sources of the web app; a change to any of them needs another build. */
const sources = [
  'apps/web/src',
  'apps/web/public',
  'apps/web/index.html',
  'apps/web/built-files.ts',
  'apps/web/compress-build.ts',
  'apps/web/few-files.ts',
  'apps/web/own-id-hook.ts',
  'apps/web/size-budget.ts',
  'apps/web/slim-contract.ts',
  'apps/web/vite.config.ts',
  'apps/web/package.json',
  'packages/client/README.md',
  'packages/client/package.json',
  'packages/client/scripts',
  'packages/client/src',
  'packages/client/tsconfig.package.json',
  'packages/contract/src',
  'package-lock.json',
];

export async function ensureWebBuilt() {
  const wanted = hashOf(sources);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;

  console.log('Building the web app …');
  const code = await runChild(productNode(), [join(root, 'node_modules/vite/bin/vite.js'), 'build'], {
    cwd: join(root, 'apps/web'),
    // Set here, because the NODE_ENV of a test run would build React's slow development version.
    env: { ...productEnvironment(), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) {
    console.error('The web app could not be built; see the output above.');
    process.exit(1);
  }
  await packClient();
  writeFileSync(stampFile, wanted);
}

/** The web app's folder has the client for customers' programs, so that the product serves it: `npm install URL/downloads/….tgz`. */
async function packClient() {
  const script = join(root, 'packages/client/scripts/build-package.ts');
  const code = await runChild(productNode(), [script, '--pack', join(dist, 'downloads')], {
    cwd: root,
    env: productEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (code !== 0) {
    console.error('The client package could not be built; see the output above.');
    process.exit(1);
  }
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((name) => filesUnder(join(root, name)))) {
    hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
