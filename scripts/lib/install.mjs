// Runs on the machine's own Node (20 or newer) before anything is installed, so: plain JavaScript, no dependencies.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './run-child.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const stampFile = join(root, 'node_modules', '.assay-installed');
const oldestNodeForProduct = 24;

/** Installs the packages of the lock file, unless they are installed already. */
export async function ensureInstalled() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;

  console.log('Installing dependencies (once; a minute or so) …');
  // Hides warnings about the machine's older Node, which only bootstraps; the install contains the pinned one.
  const code = await runChild('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (code !== 0) fail('The dependencies could not be installed; see the output of npm above.');
  linkNode();
  writeFileSync(stampFile, wanted);
}

/** npm 9, which Debian has, installs the pinned Node without a link to it. */
function linkNode() {
  const { platform, arch } = process;
  const link = join(root, 'node_modules', '.bin', 'node');
  const program = join(root, 'node_modules', `node-${platform}-${arch}`, 'bin', 'node');
  if (!existsSync(link) && existsSync(program)) symlinkSync(relative(dirname(link), program), link);
}

/** The Node that the product runs on: the installed one, or the machine's own where npm has none for the platform. */
export function productNode() {
  const installed = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= oldestNodeForProduct) return process.execPath;
  return fail(
    `npm has no Node ${oldestNodeForProduct} for ${process.platform} ${process.arch}: install Node ${oldestNodeForProduct} or newer yourself and start again.`,
  );
}

/** The environment in which every tool finds the product's Node first. */
export function productEnvironment() {
  return { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}` };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
