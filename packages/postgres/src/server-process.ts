import { type ChildProcess, spawn } from 'node:child_process';
import type { PostgresBinaries } from './binaries.ts';
import { guardOrphan } from './orphan-guard.ts';
import type { ServerUser } from './reachable-folder.ts';

const readyMark = 'ready to accept connections';
/**
 * SIGTERM makes the server wait for every session to end, so the process stays, and only its log shows the request. The line is matched from its start,
 * because errors in the log quote what customers sent.
 */
const stopAskedMark = /^[-\d]{10} [:.\d]{12} UTC \[\d+\] LOG: {2}received \w+ shutdown request/;
/** Beyond this, sessions are cut off and the next start recovers from the log. */
const stopPatienceMs = 2_500;

export interface ServerPlace {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly user: ServerUser;
}

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server ends, or is asked to end, by anyone but `stop`. */
  readonly lost: Promise<LostServer>;
  /** Ends open sessions and stops the server; safe to call twice. */
  stop(): Promise<void>;
}

interface LostServer {
  /** Whether a signal asked it to stop; otherwise it broke down or was killed. */
  readonly wasAsked: boolean;
}

export async function launchServer(
  place: ServerPlace & { port: number; settings: Readonly<Record<string, string>> },
): Promise<ServerProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    ...place.settings,
  };
  const server = spawn(
    place.binaries.postgres,
    [
      '-D',
      place.cluster,
      '-p',
      String(place.port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...place.user,
      cwd: '/',
      // Nothing else of ours: other programs of the server's user could read it.
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      // A process group of its own: Ctrl-C in the terminal must reach us and not the database under our feet.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const guard = guardOrphan(server, { signal: 'INT', name: place.cluster, user: place.user });
  const { ready, stopAsked } = watchLog(server);
  await ready;

  let isStopping = false;
  const lost = new Promise<LostServer>((resolve) => {
    const lose = (wasAsked: boolean) => isStopping || resolve({ wasAsked });
    void Promise.race([stopAsked, guard.ended]).then(() => lose(true));
    server.once('exit', () => lose(false));
  });
  return {
    pid: server.pid as number,
    lost,
    stop: () => {
      isStopping = true;
      return stopServer(server);
    },
  };
}

/** Two events that only the server's log shows. */
function watchLog(server: ChildProcess): { ready: Promise<void>; stopAsked: Promise<void> } {
  const ready = Promise.withResolvers<void>();
  const stopAsked = Promise.withResolvers<void>();
  let log = '';
  let unfinishedLine = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-8_192);
    if (log.includes(readyMark)) ready.resolve();
    // Only \n ends a line: the server indents what follows one inside a message, and leaves \r as it is.
    const lines = (unfinishedLine + text).split('\n');
    unfinishedLine = (lines.pop() ?? '').slice(0, 200);
    if (lines.some((line) => stopAskedMark.test(line))) stopAsked.resolve();
  });
  server.once('error', ready.reject);
  server.once('exit', (code) =>
    ready.reject(new Error(`PostgreSQL stopped while starting (exit ${code}).\n${log}`)),
  );
  return { ready: ready.promise, stopAsked: stopAsked.promise };
}

function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const lastResort = setTimeout(() => server.kill('SIGQUIT'), stopPatienceMs);
    server.once('exit', () => {
      clearTimeout(lastResort);
      resolve();
    });
    // PostgreSQL's fast shutdown: sessions are ended, everything is written down.
    server.kill('SIGINT');
  });
}
