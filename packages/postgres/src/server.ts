import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { chmod, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { layOutBinaries, type PostgresBinaries, programsIn } from './binaries.ts';
import { clusterName, makeReachableFolder, type ServerUser, serverUser } from './reachable-folder.ts';
import {
  createOwnDatabase,
  ensureOwnDatabase,
  ensureProductRole,
  productRole,
  superuser,
  withConnection,
} from './roles.ts';
import { launchServer, type ServerPlace, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);
const productDatabase = 'assay';

export interface PostgresOptions {
  /** Holds the cluster, its programs and its password. Elsewhere when the server's user cannot enter it. */
  readonly dataDir: string;
  /** Any free one when not given. */
  readonly port?: number;
  /** Server settings by name, such as `{ fsync: 'off' }` for a cluster that need not survive a crash. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Another version than the embedded one, for tests: `native` of its npm package, or where the system installed it. */
  readonly server?: { readonly npmFolder: string } | { readonly systemFolder: string };
}

export interface Postgres extends ServerProcess {
  readonly port: number;
  /** Address of the database `assay`, for a role that owns it and is no superuser. */
  readonly url: string;
  urlOf(database: string): string;
  /** Address for maintenance, as superuser. */
  readonly adminUrl: string;
  /** Makes a database of the product's role, empty or as a copy of `template`, and answers its address. */
  createDatabase(name: string, options?: { template?: string }): Promise<string>;
}

/** A real PostgreSQL server from an npm package, on loopback, as root or not. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const user = serverUser();
  const folder = await makeReachableFolder(options.dataDir, user);
  const binaries = await binariesOf(options, folder);
  const cluster = join(folder, clusterName);
  const password = await initialiseOnce({ binaries, cluster, folder, user });
  // Made from the superuser's, so that it stays the same from one start to the next without a file of its own.
  const productPassword = createHmac('sha256', password).update('product role').digest('base64url');
  await stopLeftover({ binaries, cluster, user });

  const port = options.port ?? (await freePort());
  const at = (role: string, secret: string) => (database: string) =>
    `postgres://${role}:${secret}@127.0.0.1:${port}/${database}`;
  const adminUrlOf = at(superuser, password);
  const urlOf = at(productRole, productPassword);
  const server = await launchServer({ binaries, cluster, port, user, settings: options.settings ?? {} });
  try {
    await ensureProductRole(adminUrlOf('postgres'), productPassword);
    await ensureOwnDatabase(adminUrlOf, productDatabase);
  } catch (error) {
    await server.stop();
    throw error;
  }

  return {
    ...server,
    port,
    url: urlOf(productDatabase),
    urlOf,
    adminUrl: adminUrlOf('postgres'),
    createDatabase: async (name, { template } = {}) => {
      await withConnection(adminUrlOf('postgres'), (client) => createOwnDatabase(client, name, template));
      return urlOf(name);
    },
  };
}

function binariesOf(
  { server }: PostgresOptions,
  folder: string,
): Promise<PostgresBinaries> | PostgresBinaries {
  if (!server) return layOutBinaries(folder);
  return 'systemFolder' in server
    ? programsIn(server.systemFolder)
    : layOutBinaries(folder, server.npmFolder);
}

async function initialiseOnce(place: ServerPlace & { folder: string }): Promise<string> {
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
      '--pgdata',
      place.cluster,
      '--username',
      superuser,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--no-instructions',
      ...(await localeArguments(place.binaries)),
    ],
    { ...place.user, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' } },
  );
  return password;
}

/** The built-in locale is the same on every machine. Version 17 brought it; before, the system's is the nearest. */
async function localeArguments({ initdb }: PostgresBinaries): Promise<string[]> {
  const { stdout } = await run(initdb, ['--version']);
  const version = Number(/\d+/.exec(stdout)?.[0]);
  if (version < 17) return ['--locale', 'C.UTF-8'];
  return ['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'];
}

/** The server of an earlier start that was killed may still hold the cluster. It is ours, so it is stopped. */
async function stopLeftover(place: ServerPlace): Promise<void> {
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

async function giveTo(path: string, user: ServerUser): Promise<void> {
  await chmod(path, 0o600);
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
