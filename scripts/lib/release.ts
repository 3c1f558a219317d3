import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const manifests = ['package.json', '{apps,packages}/*/package.json', 'tests/package.json'];
const webBuild = 'apps/web/dist';

/** Gives all packages of a clean working tree the version, dates the changelog, and commits and tags both. */
export function prepareRelease(root: string, version: string, now: Date): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Give the version as three numbers, such as 1.2.0.');
  if (git('status', '--porcelain') !== '')
    throw new Error('The working tree has changes: commit them first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} was released already.`);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const dated = changelog.replace(
    /^## Unreleased\n(?=\s*[^\s#]|\s*###)/m,
    `## Unreleased\n\n## ${version} (${now.toISOString().slice(0, 10)})\n`,
  );
  if (dated === changelog) throw new Error('CHANGELOG.md says nothing below "Unreleased".');

  writeFileSync(join(root, 'CHANGELOG.md'), dated);
  const { version: old } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const path of globSync(manifests, { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(root, path), withVersion(text, old, version));
  }
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'ignore' });
  git('commit', '--quiet', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', version);
}

/** The version of the package itself and those of its neighbours in this repository. */
function withVersion(manifest: string, old: string, version: string): string {
  const ours = /^( +"(?:version|@assay\/[\w-]+)": ")([^"]+)(",?)$/gm;
  return manifest.replaceAll(ours, (line, before, found, after) =>
    found === old ? `${before}${version}${after}` : line,
  );
}

/** Packs the tagged sources with the built web app, beside a file with the digest. */
export function packRelease(root: string, version: string): string {
  const name = `assay-${version}`;
  const archive = `${name}.tar`;
  const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: root });
  run('git', ['archive', `--prefix=${name}/`, `--output=${archive}`, `v${version}`]);
  run('tar', [
    '--append',
    `--file=${archive}`,
    `--transform=s,^,${name}/,`,
    '--owner=0',
    '--group=0',
    webBuild,
  ]);
  run('gzip', ['--force', '--best', archive]);
  const packed = `${archive}.gz`;
  const digest = createHash('sha256')
    .update(readFileSync(join(root, packed)))
    .digest('hex');
  writeFileSync(join(root, `${packed}.sha256`), `${digest}  ${packed}\n`);
  return packed;
}
