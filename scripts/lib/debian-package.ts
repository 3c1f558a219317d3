import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs a release tree as a package of Debian. It lies in /opt, where the units of deploy/systemd look for it. */
export function packDebian(
  { tree, staging, file }: { tree: string; staging: string; file: string },
  { version, architecture }: { version: string; architecture: string },
): void {
  const put = (from: string, to: string, mode: number) => {
    mkdirSync(join(staging, to, '..'), { recursive: true });
    cpSync(join(tree, 'deploy', from), join(staging, to));
    chmodSync(join(staging, to), mode);
  };
  mkdirSync(join(staging, 'opt'), { recursive: true });
  // Hard links: the files of Node are large.
  execFileSync('cp', ['--archive', '--link', tree, join(staging, 'opt/assay')]);
  for (const unit of readdirSync(join(tree, 'deploy/systemd')))
    put(`systemd/${unit}`, `usr/lib/systemd/system/${unit}`, 0o644);
  put('debian/assay', 'usr/bin/assay', 0o755);
  for (const script of ['postinst', 'prerm', 'postrm']) put(`debian/${script}`, `DEBIAN/${script}`, 0o755);
  mkdirSync(join(staging, 'usr/share/doc/assay'), { recursive: true });
  cpSync(join(tree, 'LICENSE'), join(staging, 'usr/share/doc/assay/copyright'));
  const [size = '0'] = execFileSync('du', ['--summarize', '--block-size=1K', staging], {
    encoding: 'utf8',
  }).split('\t');
  const control = readFileSync(join(tree, 'deploy/debian/control'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@SIZE@', size);
  writeFileSync(join(staging, 'DEBIAN/control'), control);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', staging, file], {
    stdio: 'ignore',
  });
}
