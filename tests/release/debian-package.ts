import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasProgram } from '../../scripts/lib/has-program.ts';
import type { Trial } from './outside.ts';

const suite = 'trixie';

/** Installs, uses, upgrades, uses, removes and purges the package in a bare Debian. Answers why it cannot. */
export async function tryDebianPackage({
  release,
  work,
  outside,
  version,
  older,
}: Trial): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may change its root folder';
  if (!hasProgram('debootstrap')) return 'debootstrap is not installed';
  const [file = ''] = globSync('assay_*.deb', { cwd: release });
  if (file === '') return 'there is no package';
  const debian = join(work, 'debian');
  execFileSync('debootstrap', ['--variant=minbase', '--include=adduser,libstdc++6', suite, debian], {
    stdio: 'ignore',
  });
  const inside = (...words: string[]) =>
    execFileSync('chroot', [debian, ...words], { encoding: 'utf8', stdio: 'pipe' });
  const check = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new Error(what);
  };
  const systemd = pretendSystemd(debian);

  cpSync(older ?? join(release, file), join(debian, 'assay.deb'));
  inside('dpkg', '--install', '/assay.deb');
  const settings = join(debian, 'etc/assay/assay.env');
  const first = readFileSync(settings, 'utf8');
  check((statSync(settings).mode & 0o777) === 0o640, 'others may read the settings');
  check(/^ASSAY_SECRET=[\da-f]{64}$/m.test(first), 'no secret was made');
  check(
    /^assay \d+\.\d+\.\d+ \([\da-f]+\)/.test(inside('assay', '--version')),
    'it does not know its version',
  );
  check(systemd.calls().includes('daemon-reload'), 'systemd does not know the units');

  const database = await outside.createDatabase('debian');
  const configured = first.replace(/^DATABASE_URL=$/m, `DATABASE_URL=${database}`);
  writeFileSync(settings, configured);
  // What the units start, as the user that they name.
  const unit = readFileSync(join(debian, 'usr/lib/systemd/system/assay-api.service'), 'utf8');
  const [, node = '', program = ''] = /^ExecStart=(\S+) (\S+) api$/m.exec(unit) ?? [];
  const secret = /^ASSAY_SECRET=(.+)$/m.exec(first)?.[1] ?? '';
  const use = () =>
    outside.useProduct(
      ['chroot', '--userspec=assay:assay', debian, 'env', '--chdir=/opt/assay', node, program],
      { ASSAY_SECRET: secret, DATABASE_URL: database },
    );
  await use();
  check(
    inside('assay', 'ledger', 'audit').includes('The ledger agrees'),
    'the command does not find the database',
  );

  systemd.setActive(['assay-api.service', 'assay-worker@1.service']);
  const next = older === undefined ? `${version}+1` : version;
  if (older === undefined) repack(debian, next);
  else cpSync(join(release, file), join(debian, 'next.deb'));
  inside('dpkg', '--install', '/next.deb');
  check(inside('dpkg-query', '--show', 'assay') === `assay\t${next}\n`, 'it is not upgraded');
  check(readFileSync(settings, 'utf8') === configured, 'the upgrade changed the settings');
  check(
    /stop assay-api\.service assay-worker@1\.service[\s\S]*daemon-reload[\s\S]*start assay-api\.service assay-worker@1\.service/.test(
      systemd.calls(),
    ),
    `the units were not restarted around the upgrade: ${systemd.calls()}`,
  );
  await use();

  inside('dpkg', '--remove', 'assay');
  check(!existsSync(join(debian, 'opt/assay')) && existsSync(settings), 'remove took too little or too much');
  inside('dpkg', '--purge', 'assay');
  check(!existsSync(join(debian, 'etc/assay')), 'purge left settings');
  check(!existsSync(join(debian, 'var/lib/assay')), 'purge left data');
  check(spawnSync('chroot', [debian, 'getent', 'passwd', 'assay']).status !== 0, 'purge left the user');
  return null;
}

/** The same files as another version, in /next.deb. */
function repack(debian: string, version: string): void {
  const inside = (...words: string[]) => execFileSync('chroot', [debian, ...words], { stdio: 'pipe' });
  inside('dpkg-deb', '--raw-extract', '/assay.deb', '/next');
  const control = join(debian, 'next/DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .+$/m, `Version: ${version}`));
  inside('dpkg-deb', '-Znone', '--build', '/next', '/next.deb');
  rmSync(join(debian, 'next'), { recursive: true });
}

/** A bare Debian runs no systemd. These take its place and note what the package asks of it. */
function pretendSystemd(debian: string) {
  const notes = join(debian, 'systemd-calls');
  const active = join(debian, 'systemd-active');
  writeFileSync(notes, '');
  writeFileSync(active, '');
  mkdirSync(join(debian, 'run/systemd/system'), { recursive: true });
  const script = '#!/bin/sh\necho "$@" >>/systemd-calls\n[ "$1" != list-units ] || cat /systemd-active\n';
  for (const name of ['systemctl', 'deb-systemd-invoke'])
    writeFileSync(join(debian, 'usr/bin', name), script, { mode: 0o755 });
  return {
    calls: () => readFileSync(notes, 'utf8'),
    setActive: (units: readonly string[]) =>
      writeFileSync(active, units.map((unit) => `${unit} loaded active running\n`).join('')),
  };
}
