import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { layOutBinaries, type PostgresBinaries } from './binaries.ts';
import { makeReachableFolder, type ServerUser, serverUser } from './reachable-folder.ts';

const run = promisify(execFile);
const superuser = 'assay';

export interface PostgresOptions {
  /** Holds the cluster, its programs and its password. Elsewhere when the server's user cannot enter it. */
  readonly dataDir: string;
  /** Any free one when not given. */
  readonly port?: number;
  /** Server settings by name, such as `{ fsync: 'off' }` for a cluster that nobody will miss. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Postgres {
  readonly port: number;
  readonly pid: number;
  /** Address of the database `assay`. */
  readonly url: string;
  urlOf(database: string): string;
  /** Makes a database, empty or as a copy of `template`, and answers its address. */
  createDatabase(name: string, options?: { template?: string }): Promise<string>;
  /** Ends open sessions and stops the server; safe to call twice. */
  stop(): Promise<void>;
}

/** A real PostgreSQL server from an npm package, on loopback, as root or not. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const user = serverUser();
  const folder = await makeReachableFolder(options.dataDir, user);
  const binaries = await layOutBinaries(folder);
  const cluster = join(folder, 'cluster');
  const password = await initialiseOnce({ binaries, cluster, folder, user });
  await stopLeftover({ binaries, cluster, user });

  const port = options.port ?? (await freePort());
  const urlOf = (database: string) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  const server = await launch({ binaries, cluster, port, user, settings: options.settings ?? {} });
  await ensureDatabase(urlOf('postgres'));

  return {
    port,
    pid: server.pid as number,
    url: urlOf(superuser),
    urlOf,
    createDatabase: async (name, { template } = {}) => {
      const from = template ? ` template ${pg.escapeIdentifier(template)}` : '';
      await withConnection(urlOf('postgres'), (client) =>
        client.query(`create database ${pg.escapeIdentifier(name)}${from}`),
      );
      return urlOf(name);
    },
    stop: () => stopServer(server),
  };
}

interface ClusterPlace {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly user: ServerUser;
}

async function initialiseOnce(place: ClusterPlace & { folder: string }): Promise<string> {
  const passwordFile = join(place.folder, 'password');
  const isInitialised = await stat(join(place.cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (isInitialised) return readFile(passwordFile, 'utf8');

  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(passwordFile, place.user);
  // A cluster without PG_VERSION is what an interrupted first start left behind.
  await rm(place.cluster, { recursive: true, force: true });
  await run(
    place.binaries.initdb,
    [
      ...['--pgdata', place.cluster, '--username', superuser, '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale-provider', 'builtin'],
      ...['--builtin-locale', 'C.UTF-8', '--locale', 'C', '--no-instructions'],
    ],
    { ...place.user, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' } },
  );
  return password;
}

/** The server of an earlier start that was killed may still hold the cluster. It is ours, so it is stopped. */
async function stopLeftover(place: ClusterPlace): Promise<void> {
  const pidFile = join(place.cluster, 'postmaster.pid');
  const isThere = await stat(pidFile).then(
    () => true,
    () => false,
  );
  if (!isThere) return;

  await run(place.binaries.pgCtl, ['stop', '--pgdata', place.cluster, '--mode', 'fast'], {
    ...place.user,
    cwd: '/',
    // It fails when no such process lives any more; the file is then stale and the server clears it itself.
  }).catch(() => undefined);
}

async function launch(
  place: ClusterPlace & { port: number; settings: Readonly<Record<string, string>> },
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...place.settings,
  };
  const server = spawn(
    place.binaries.postgres,
    [
      ...['-D', place.cluster, '-p', String(place.port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // A process group of its own: Ctrl-C in the terminal must reach us and not the database under our feet.
    { ...place.user, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await untilReady(server);
  return server;
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log === readyMark) return;
      log = (log + text).slice(-8_192);
      if (!log.includes(readyMark)) return;
      log = readyMark;
      resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) =>
      reject(new Error(`PostgreSQL stopped while starting (exit ${code}).\n${log}`)),
    );
  });
}
const readyMark = 'ready to accept connections';

async function ensureDatabase(maintenanceUrl: string): Promise<void> {
  await withConnection(maintenanceUrl, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [superuser]);
    if (found.rowCount === 0) await client.query(`create database ${superuser}`);
  });
}

async function withConnection(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    // PostgreSQL's fast shutdown: sessions are ended, everything is written down.
    server.kill('SIGINT');
  });
}

async function giveTo(path: string, user: ServerUser): Promise<void> {
  await chmod(path, 0o600);
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
