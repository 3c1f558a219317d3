import { type ChildProcess, spawn } from 'node:child_process';
import type { ServerUser } from './reachable-folder.ts';

export interface OrphanGuard {
  /** Resolves when the guard ends before it was released, for example by a signal. */
  readonly ended: Promise<void>;
  release(): void;
}

/**
 * Signals a program when this process ends, even by SIGKILL. For programs that do not notice it themselves: a shell waits
 * at a pipe whose other end only we hold, so that it closes with us.
 */
export function guardOrphan(
  program: ChildProcess,
  { signal, name, user = {} }: { signal: 'INT' | 'TERM'; name: string; user?: ServerUser },
): OrphanGuard {
  const guard = spawn(
    '/bin/sh',
    ['-c', 'read _; kill -s "$1" "$2"', `assay guard of ${name}`, signal, String(program.pid)],
    { ...user, cwd: '/', env: {}, detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  guard.unref();
  // Without a guard the program outlives a kill of this process, until the next start stops it.
  guard.on('error', () => undefined);
  let isReleased = false;
  const release = () => {
    isReleased = true;
    guard.kill('SIGKILL');
  };
  program.once('exit', release);
  return {
    ended: new Promise((resolve) => {
      guard.once('exit', () => {
        if (!isReleased) resolve();
      });
    }),
    release,
  };
}
