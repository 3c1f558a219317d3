import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf } from '../harness/measure.ts';

/** Installs the verifiers from npm that ours is compared with. */
export function installPeers(): void {
  const folder = pathOf('../peers/', import.meta.url);
  if (existsSync(join(folder, 'node_modules'))) return;
  console.log('Installing the peers …');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('Could not install the peers.');
}
