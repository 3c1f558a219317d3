import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@assay/postgres/testing/free-port';
import pg from 'pg';
import { Deadline } from '../support/until.ts';

const run = promisify(execFile);
const programs = '/usr/lib/postgresql/15/bin';
export const hasServers = (): boolean => existsSync(programs);

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMsMax = 60_000;
const password = 'rehearsal';

export interface ServerPair {
  readonly primaryPort: number;
  readonly standbyPort: number;
  /** The primary's machine is lost: no process of it gets the chance to say anything. */
  losePrimary(): Promise<void>;
  /** What a cluster manager does: the standby becomes the primary, and no longer waits for another. */
  promoteStandby(): Promise<void>;
  stop(): Promise<void>;
}

export const urlAt = (port: number): string => `postgres://assay:${password}@127.0.0.1:${port}/assay`;

/** A primary and a standby that confirms every commit before the primary does. */
export async function startPair(): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-failover-'));
  await chmod(folder, 0o755);
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const [primary, standby] = [join(folder, 'primary'), join(folder, 'standby')];
  const cwd = '/';

  await run(
    join(programs, 'initdb'),
    [
      '-D',
      primary,
      '-U',
      'assay',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '-E',
      'UTF8',
      '--no-locale',
    ],
    { ...user, cwd },
  );
  await appendFile(join(primary, 'pg_hba.conf'), 'host replication assay 127.0.0.1/32 scram-sha-256\n');
  await appendFile(
    join(primary, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\ntimezone = 'UTC'\n`,
  );
  const primaryServer = start(primary, primaryPort);
  const deadline = new Deadline(startMsMax);
  const admin = (port: number) => `postgres://assay:${password}@127.0.0.1:${port}/postgres`;
  await deadline.until('the primary answers', () => ask(admin(primaryPort), 'select 1'));
  await ask(admin(primaryPort), 'create database assay');
  await run(
    join(programs, 'pg_basebackup'),
    ['-D', standby, '-R', '-X', 'stream', '-c', 'fast', '-d', admin(primaryPort)],
    { ...user, cwd, env: { PGPASSWORD: password } },
  );
  const standbyServer = start(standby, standbyPort);
  await deadline.until('the standby answers', () => ask(admin(standbyPort), 'select 1'));
  await ask(admin(primaryPort), `alter system set synchronous_standby_names = '*'`);
  await ask(admin(primaryPort), 'select pg_reload_conf()');
  await deadline.until('commits wait for the standby', async () => {
    const rows = await ask(admin(primaryPort), `select 1 from pg_stat_replication where sync_state = 'sync'`);
    return rows.length > 0;
  });

  return {
    primaryPort,
    standbyPort,
    losePrimary: () => killGroup(primaryServer),
    promoteStandby: async () => {
      await ask(admin(standbyPort), 'select pg_promote()');
      await ask(admin(standbyPort), 'alter system reset synchronous_standby_names');
      await ask(admin(standbyPort), 'select pg_reload_conf()');
    },
    stop: async () => {
      await Promise.all([primaryServer, standbyServer].map(killGroup));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function start(cluster: string, port: number): ChildProcess {
  return spawn(join(programs, 'postgres'), ['-D', cluster, '-p', String(port)], {
    ...user,
    cwd: '/',
    env: { PATH: process.env.PATH, TZ: 'UTC' },
    detached: true,
    stdio: 'ignore',
  });
}

/** The server leads its own process group. */
async function killGroup(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const exited = once(server, 'exit');
  process.kill(-server.pid, 'SIGKILL');
  await exited;
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'assay rehearsal' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
