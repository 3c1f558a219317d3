import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs a release tree as an image, in the form that `docker load` and `podman load` take. ASSAY_IMAGE_BASE names another base image. */
export function packImage({ tree, file, version }: { tree: string; file: string; version: string }): void {
  const tag = `assay:${version}`;
  const containerfile = join(tree, 'deploy/container/Containerfile');
  const [, usualBase = ''] = /^ARG BASE=(\S+)$/m.exec(readFileSync(containerfile, 'utf8')) ?? [];
  const base = process.env.ASSAY_IMAGE_BASE || usualBase;
  const isolation = findIsolation(base);
  const buildah = (...args: string[]) => execFileSync('buildah', args, { cwd: tree, stdio: 'inherit' });
  buildah(
    'build',
    ...isolation,
    '--format',
    'docker',
    '--tag',
    tag,
    '--file',
    containerfile,
    '--build-arg',
    `BASE=${base}`,
    tree,
  );
  buildah('push', tag, `docker-archive:${file}:${tag}`);
}

/** How commands run while the image is built: as buildah is set up or, where its runtime does not work on this kernel, in a plain chroot. */
function findIsolation(base: string): string[] {
  const from = spawnSync('buildah', ['from', base], { encoding: 'utf8' });
  if (from.status !== 0)
    throw new Error(
      `the base image ${base} cannot be fetched: reach its registry, or name an image that is here in ASSAY_IMAGE_BASE (${lastLineOf(from.stderr)})`,
    );
  const container = from.stdout.trim();
  try {
    let reason = '';
    for (const isolation of [[], ['--isolation', 'chroot']]) {
      const run = spawnSync('buildah', ['run', ...isolation, container, '--', 'true'], { encoding: 'utf8' });
      if (run.status === 0) return isolation;
      reason = lastLineOf(run.stderr);
    }
    throw new Error(`buildah can run no command here, not even with --isolation chroot: ${reason}`);
  } finally {
    execFileSync('buildah', ['rm', container], { stdio: 'ignore' });
  }
}

const lastLineOf = (text: string): string => text.trim().split('\n').at(-1) ?? '';
