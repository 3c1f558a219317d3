// npm run try-release [-- --only PART --older FILE.deb]: packs the working tree as a release and tries each artefact as an operator would.
// A part that needs programs or rights that are missing says so and is left out.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packRelease } from '../../scripts/lib/release.ts';
import { onShutdown } from '../support/shutdown.ts';
import { tryArchive } from './archive.ts';
import { tryDebianPackage } from './debian-package.ts';
import { tryImage } from './image.ts';
import { openOutside } from './outside.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({ options: { only: { type: 'string' }, older: { type: 'string' } } });
const older = values.older && resolve(values.older);
const version = '0.0.1';
const trials = { archive: tryArchive, debian: tryDebianPackage, image: tryImage };

const folder = mkdtempSync(join(tmpdir(), 'assay-release-'));
// The database has a user of its own.
chmodSync(folder, 0o755);
const outside = await openOutside(folder);
onShutdown(outside.close);
let isPassed = true;
try {
  const release = join(folder, 'release');
  const { privateKey: key, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'release.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  const { skipped: left, failed } = await packRelease(root, { folder: release, version, key });
  for (const sentence of [...left, ...failed]) console.log(sentence);
  isPassed = failed.length === 0;
  for (const [name, attempt] of Object.entries(trials)) {
    if (values.only !== undefined && values.only !== name) continue;
    const work = join(folder, name);
    mkdirSync(work, { mode: 0o755 });
    try {
      const skipped = await attempt({ root, release, work, outside, version, older });
      console.log(skipped === null ? `passed   ${name}` : `skipped  ${name}: ${skipped}`);
    } catch (error) {
      isPassed = false;
      console.log(`FAILED   ${name}: ${(error as Error).message}`);
    }
  }
} finally {
  await outside.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isPassed ? 0 : 1;
