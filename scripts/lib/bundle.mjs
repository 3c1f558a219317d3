import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { productEnvironment, productNode, root } from './install.mjs';
import { runChild } from './run-child.mjs';

/** Beside the packages that it is made of, so that their next installation removes it. */
const bundles = join(root, 'node_modules/.assay-bundles');
/** A product that still runs may load further files of its bundle. */
const keptBundles = 3;

const sources = [
  'apps/server/bin',
  'apps/server/migrations',
  'apps/server/src',
  'apps/server/package.json',
  'apps/web/dist/.sources',
  'docs',
  'packages',
  'scripts/lib',
  'scripts/release.ts',
  'CHANGELOG.md',
  'package-lock.json',
];

/**
 * Answers the `assay` command of a bundle of these sources, as a release has it, and makes it if a source changed. It loads in a third of
 * the time of the sources. See docs/decisions/releases-are-bundled.md.
 */
export async function ensureServerBundled() {
  const folder = join(bundles, stampOf(sources));
  const command = join(folder, 'apps/server/bin/assay.mjs');
  if (existsSync(folder)) return command;

  console.log('Bundling the server …');
  const unfinished = `${folder}.${process.pid}`;
  const code = await runChild(
    productNode(),
    [join(root, 'scripts/release.ts'), '--tree', unfinished, '--without-node'],
    { cwd: root, env: productEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (code !== 0) {
    console.error('The server could not be bundled; see the output above.');
    process.exit(1);
  }
  keep(unfinished, folder);
  return command;
}

/** Renamed at the end, so that one that is cut short is never taken for a whole one. */
function keep(unfinished, folder) {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another start was quicker.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    rmSync(unfinished, { recursive: true });
  }
  const newestFirst = readdirSync(bundles)
    .map((name) => join(bundles, name))
    .sort((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs);
  for (const old of newestFirst.slice(keptBundles)) rmSync(old, { recursive: true, force: true });
}

/** By time and size, because reading all of them would take a good part of a start. */
function stampOf(paths) {
  mkdirSync(bundles, { recursive: true });
  const hash = createHash('sha256');
  for (const path of paths.flatMap((name) => filesUnder(join(root, name)))) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${size}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
