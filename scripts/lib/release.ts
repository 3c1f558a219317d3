import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { packDebian } from './debian-package.ts';
import { hasProgram } from './has-program.ts';
import { packImage } from './image.ts';
import { type Processor, processors, writeReleaseTree } from './release-tree.ts';

const manifests = ['package.json', '{apps,packages}/*/package.json', 'tests/package.json'];

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

export interface Artefacts {
  /** A folder that does not exist yet. */
  readonly folder: string;
  readonly version: string;
  readonly key: KeyObject;
}

/** The Ed25519 key that signs a release, from a file in the form PEM. */
export function readSigningKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} holds no Ed25519 key.`);
  return key;
}

export interface PackedRelease {
  /** What was not made because this machine lacks a program. */
  readonly skipped: readonly string[];
  /** What could not be made, and why. */
  readonly failed: readonly string[];
}

/** Packs the working tree, whose web app is built, and signs the digests of everything that could be made. */
export async function packRelease(root: string, { folder, version, key }: Artefacts): Promise<PackedRelease> {
  const processor = process.arch as Processor;
  const architecture = processors[processor];
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder);
  const staging = mkdtempSync(join(folder, 'staging-'));
  const tree = join(staging, `assay-${version}`);
  const skipped: string[] = [];
  const failed: string[] = [];
  const pack = (what: string, program: string, work: () => void) => {
    if (!hasProgram(program)) skipped.push(`no ${what}: ${program} is not installed`);
    else
      try {
        work();
      } catch (error) {
        failed.push(`no ${what}: ${(error as Error).message}`);
      }
  };
  try {
    await writeReleaseTree(root, tree, { commit, processor });
    packTar(staging, `assay-${version}`, join(folder, `assay-${version}-linux-${architecture}.tar.gz`));
    packChart(root, staging, { version, file: join(folder, `assay-chart-${version}.tgz`) });
    pack('package for Debian', 'dpkg-deb', () => {
      const file = join(folder, `assay_${version}_${architecture}.deb`);
      packDebian({ tree, staging: join(staging, 'debian'), file }, { version, architecture });
    });
    pack('image', 'buildah', () =>
      packImage({ tree, file: join(folder, `assay-${version}-image.tar`), version }),
    );
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  signDigests(folder, key);
  return { skipped, failed };
}

/** Writes the digests of all files of a folder, and the signature of these. */
export function signDigests(folder: string, key: KeyObject): void {
  const sums = readdirSync(folder)
    .map((name) => `${digestOf(join(folder, name))}  ${name}\n`)
    .join('');
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key));
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function packTar(folder: string, name: string, file: string): void {
  execFileSync('tar', [
    '--create',
    '--gzip',
    `--file=${file}`,
    `--directory=${folder}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--sort=name',
    name,
  ]);
}

function packChart(
  root: string,
  staging: string,
  { version, file }: { version: string; file: string },
): void {
  const chart = join(staging, 'chart');
  cpSync(join(root, 'deploy/helm'), join(chart, 'assay'), { recursive: true });
  const description = join(chart, 'assay/Chart.yaml');
  const text = readFileSync(description, 'utf8');
  writeFileSync(description, text.replace(/^(version|appVersion): .+$/gm, `$1: ${version}`));
  packTar(chart, 'assay', file);
}
