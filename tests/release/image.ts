import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram } from '../../scripts/lib/has-program.ts';
import type { Trial } from './outside.ts';

/** Starts the image by its own entry point, as its user, with API and worker. Answers why it cannot. */
export async function tryImage({ release, outside }: Trial): Promise<string | null> {
  if (!hasProgram('buildah')) return 'buildah is not installed';
  const [file = ''] = globSync('assay-*-image.tar', { cwd: release });
  if (file === '') return 'there is no image';
  const buildah = (...args: string[]) => execFileSync('buildah', args, { encoding: 'utf8' }).trim();
  const container = buildah('from', '--pull-never', `docker-archive:${join(release, file)}`);
  try {
    const { config } = JSON.parse(buildah('inspect', '--type', 'container', container)).OCIv1;
    const mounted = buildah('mount', container);
    mkdirSync(join(mounted, 'tmp/node-compile-cache'), { recursive: true });
    const variables = Object.fromEntries(
      config.Env.map((line: string) => line.split(/=(.*)/s).slice(0, 2)),
    ) as Record<string, string>;
    await outside.useProduct(
      [
        ...([
          '/usr/sbin/chroot',
          `--userspec=${config.User}`,
          mounted,
          'env',
          `--chdir=${config.WorkingDir}`,
        ] as const),
        ...config.Entrypoint,
      ],
      { ...variables, HOST: '127.0.0.1' },
    );
    return null;
  } finally {
    buildah('rm', container);
  }
}
