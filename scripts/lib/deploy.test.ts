import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { hasProgram } from './has-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const units = join(root, 'deploy', 'systemd');
const run = promisify(execFile);

// Where systemd is missing, the report says that this did not run.
it.skipIf(!hasProgram('systemd-analyze'))(
  'systemd accepts the units, and rates them well protected',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-units-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const paths: string[] = [];
    for (const name of await readdir(units)) {
      // systemd wants to see the programs that it would start.
      const text = (await readFile(join(units, name), 'utf8')).replaceAll(
        '/opt/assay',
        root.replace(/\/$/, ''),
      );
      await writeFile(join(folder, name), text);
      paths.push(join(folder, name));
    }
    const services = paths.filter((path) => path.endsWith('.service'));
    expect(services).toHaveLength(5);
    const verified = await run('systemd-analyze', ['verify', '--man=no', ...paths]);
    expect(verified.stdout + verified.stderr).toBe('');
    const rated = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=25', ...services]);
    expect(rated.stdout.match(/Overall exposure level/g)).toHaveLength(5);
  },
);

it.each(['assay.service', 'assay-api.service', 'assay-identity.service', 'assay-worker@.service'])(
  '%s allows netlink and sets a file limit',
  async (name) => {
    const unit = await readFile(join(units, name), 'utf8');
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
    expect(unit).toMatch(/^LimitNOFILE=65536$/m);
  },
);

it('compose.yaml sets the file limit of the units', async () => {
  const text = await readFile(join(root, 'deploy', 'container', 'compose.yaml'), 'utf8');
  expect(text).toMatch(/^ {2}ulimits:\n {4}nofile: 65536$/m);
});

const readSettings = async () => {
  const table = await readFile(join(root, 'docs', 'configuration.md'), 'utf8');
  return new Set([...table.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, setting = '']) => setting));
};

it('compose.yaml passes every setting that neither it nor the image decides', async () => {
  const decided =
    /^(PORT|HOST|IDENTITY_PORT|IDENTITY_HOST|ASSAY_DATA|ASSAY_WEB_APP|ASSAY_COMMIT|METRICS_PORT|WORKER_METRICS_PORT)$/;
  const text = await readFile(join(root, 'deploy', 'container', 'compose.yaml'), 'utf8');
  const missing = [...(await readSettings())].filter((name) => !text.includes(`\n  ${name}: `));
  expect(missing.filter((name) => !decided.test(name))).toEqual([]);
});

it.each(['Containerfile', 'compose.yaml'])('%s sets only settings that exist', async (name) => {
  const settings = await readSettings();
  const ofOtherPrograms = /^(PATH|NODE_ENV|NODE_COMPILE_CACHE|POSTGRES_\w+|ROOT_\w+|COMMIT)$/;
  const text = await readFile(join(root, 'deploy', 'container', name), 'utf8');
  const named = [...text.matchAll(/^(?:ENV)? +([A-Z][A-Z0-9_]+)(?:=|: )/gm)].map(
    ([, setting]) => setting ?? '',
  );
  const ours = named.filter((setting) => !ofOtherPrograms.test(setting));
  expect(ours.length).toBeGreaterThan(1);
  expect(ours.filter((setting) => !settings.has(setting))).toEqual([]);
});

it('compose.yaml backs up every day, an hour after a failure, and keeps what the timer of systemd keeps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-nights-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = (name: string, lines: string) =>
    writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >>${folder}/calls\n${lines}\n`, {
      mode: 0o755,
    });
  // The first backup fails, the second does not, and then the day is over.
  await program('node', `[ "$(grep -c node ${folder}/calls)" = 2 ]`);
  await program('sleep', '[ "$1" != 86400 ] || kill "$PPID"');
  const text = await readFile(join(root, 'deploy/container/compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    services: { backup: { entrypoint: [string, string]; command: [string] } };
  };
  const [shell, option] = services.backup.entrypoint;

  const env = { PATH: `${folder}:/usr/bin:/bin` };
  await run(shell, [option, ...services.backup.command], { env, timeout: 20_000 }).catch(() => undefined);

  const unit = await readFile(join(units, 'assay-backup.service'), 'utf8');
  const [, backup = ''] = /^ExecStart=\S+ (.+)$/m.exec(unit) ?? [];
  const calls = await readFile(join(folder, 'calls'), 'utf8');
  expect(calls.split('\n')).toEqual([`node ${backup}`, 'sleep 3600', `node ${backup}`, 'sleep 86400', '']);
});
