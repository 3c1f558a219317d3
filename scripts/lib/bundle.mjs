import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { productEnvironment, productNode, root } from './install.mjs';
import { runChild } from './run-child.mjs';

/** Beside the packages that it is made of, so that their next installation removes it. */
const bundles = join(root, 'node_modules/.assay-bundles');
const server = 'apps/server/bin/assay.mjs';
/** Those that were started last. A product that still runs loads further files of its bundle, and starts processes from it. */
const keptBundles = 8;
const finishedName = /^[0-9a-f]{16}$/;
/** After this time a bundle that is not finished was cut short. */
const bundlingMsMax = 3_600_000;

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
 * the time of the sources, which run themselves where this user may not write. See docs/decisions/releases-are-bundled.md.
 */
export async function ensureServerBundled() {
  const folder = join(bundles, stampOf(sources));
  const command = join(folder, server);
  if (existsSync(command)) {
    markUsed(folder);
    return command;
  }
  if (!canWrite()) return join(root, server);

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
  removeOld();
}

function removeOld() {
  const found = readdirSync(bundles).map((name) => {
    // Another start may remove it meanwhile.
    const { mtimeMs = 0 } = statSync(join(bundles, name), { throwIfNoEntry: false }) ?? {};
    return { path: join(bundles, name), isFinished: finishedName.test(name), mtimeMs };
  });
  const newestFirst = found
    .filter(({ isFinished }) => isFinished)
    .sort((left, right) => right.mtimeMs - left.mtimeMs);
  const cutShort = found.filter(
    ({ isFinished, mtimeMs }) => !isFinished && mtimeMs < Date.now() - bundlingMsMax,
  );
  for (const { path } of newestFirst.slice(keptBundles)) {
    // So that one that is half removed is never taken for a whole one.
    const going = `${path}.${process.pid}.old`;
    try {
      renameSync(path, going);
      rmSync(going, { recursive: true, force: true });
    } catch {
      // Another start removes it.
    }
  }
  for (const { path } of cutShort) rmSync(path, { recursive: true, force: true });
}

/** A user of its own, as a service has, may read what an installation made, and no more. */
function canWrite() {
  try {
    mkdirSync(bundles, { recursive: true });
    accessSync(bundles, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function markUsed(folder) {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // It belongs to another user.
  }
}

/** By times and size, because reading all of them would take a good part of a start. */
function stampOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((name) => filesUnder(join(root, name)))) {
    const { mtimeMs, ctimeMs, size } = statSync(path);
    hash.update(`${path}\0${mtimeMs}\0${ctimeMs}\0${size}\0`);
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
