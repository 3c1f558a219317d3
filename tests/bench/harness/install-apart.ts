import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf } from './measure.ts';

/**
 * Installs the packages of a folder of the bench, which has a lock file of its own, and returns where they are. They are
 * large, and `npm test` does not need them.
 */
export function installApart(name: 'peers' | 'lighthouse'): string {
  const folder = pathOf(`../${name}/`, import.meta.url);
  const packages = join(folder, 'node_modules');
  if (existsSync(packages)) return packages;
  console.log(`Installing ${name} …`);
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`Could not install ${name}.`);
  return packages;
}
