import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Packs a release tree as an image, in the form that `docker load` and `podman load` take. ASSAY_IMAGE_BASE names another base image. */
export function packImage({ tree, file, version }: { tree: string; file: string; version: string }): void {
  const tag = `assay:${version}`;
  const base = process.env.ASSAY_IMAGE_BASE;
  const buildah = (...args: string[]) => execFileSync('buildah', args, { cwd: tree, stdio: 'inherit' });
  buildah(
    'build',
    '--format',
    'docker',
    '--tag',
    tag,
    '--file',
    join(tree, 'deploy/container/Containerfile'),
    ...(base ? ['--build-arg', `BASE=${base}`] : []),
    tree,
  );
  buildah('push', tag, `docker-archive:${file}:${tag}`);
}
