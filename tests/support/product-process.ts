import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../apps/server/bin/commands.ts';

/** The `assay` command. */
export const assayProgram = fileURLToPath(new URL('../../apps/server/bin/assay.mjs', import.meta.url));
const logLinesKept = 200;

/** `start` supervises one of each, as `npm start` does. */
type Role = 'api' | 'worker' | 'start';
/** What each process prints when it is ready. */
const readyMessages: Record<Role, string> = {
  api: '"msg":"serving"',
  worker: '"msg":"working"',
  start: 'Assay is ready',
};

/** A hundred times what a start takes. It ends what hangs, such as a start without the built web app. */
const readyMsMax = 300_000;

export interface ProductProcess {
  readonly pid: number;
  /** The latest warnings and errors of its log. */
  readonly troubles: readonly string[];
  /** Why it exited unexpectedly, or null. */
  readonly fall: string | null;
  /** SIGKILL unless told otherwise: it cannot clean up. A second signal follows after so many milliseconds. */
  end(ending?: Ending, secondAfterMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** How processes end: by a deploy, a crash, Ctrl-C, a deploy that loses its patience, and signals that come twice. */
export const endings = [
  'SIGTERM',
  'SIGKILL',
  'SIGINT',
  'SIGTERM, then SIGKILL',
  'SIGTERM, then SIGTERM',
  'SIGINT, then SIGINT',
] as const;
export type Ending = (typeof endings)[number];
/** In the middle of closing, which takes from a tenth of a second to a few seconds. */
const soonMs = 150;

/** The program and its first arguments, such as the command of another version or installation. */
export type AssayCommand = readonly [string, ...string[]];

/** Starts `assay api`, `assay worker` or `assay start`, and waits until it is ready. */
export async function startProcess(
  role: Role,
  environment: Record<string, string>,
  [program, ...words]: AssayCommand = [process.execPath, assayProgram],
): Promise<ProductProcess> {
  const child = spawn(program, [...words, role], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'info', ...environment },
    // The channel closes when this process ends for any reason, and the child then stops too.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log = watchLog(child, readyMessages[role]);
  let isStopping = false;
  let fall: string | null = null;
  const exited = once(child, 'exit').then(([code, signal]) => {
    // Also one that was asked to stop and could not close in order.
    if (!isStopping || code) fall = `assay ${role} exited unexpectedly (${signal ?? `exit ${code}`})`;
  });
  const end = (signal: NodeJS.Signals) => {
    isStopping = true;
    child.kill(signal);
    return exited;
  };
  const isLate = await Promise.race([log.ready, exited, pause(readyMsMax, true, { ref: false })]);
  if (isLate) {
    child.kill('SIGKILL');
    fall = `assay ${role} was not ready in time`;
  }
  if (fall !== null) throw new Error(`${fall}:\n${log.troubles.join('\n')}`);

  return {
    pid: child.pid as number,
    troubles: log.troubles,
    get fall() {
      return fall;
    },
    end: async (ending = 'SIGKILL', secondAfterMs = soonMs) => {
      const [first, second] = ending.split(', then ') as [NodeJS.Signals, NodeJS.Signals?];
      const ended = end(first);
      if (second === undefined) return ended;
      await Promise.race([ended, pause(secondAfterMs)]);
      return end(second);
    },
    stop: () => {
      // One that is stopped by SIGSTOP would not notice.
      child.kill('SIGCONT');
      return end('SIGTERM');
    },
  };
}

function watchLog(child: ChildProcess, readyMessage: string) {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const troubles: string[] = [];
  const keep = (line: string) => {
    troubles.push(line);
    if (troubles.length > logLinesKept) troubles.shift();
  };
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(readyMessage)) resolve();
      if (!line.includes('"level":"info"')) keep(line);
    });
  }
  if (child.stderr) createInterface({ input: child.stderr }).on('line', keep);
  return { ready, troubles };
}

/** Runs an operator command in this process, so that the server's code is loaded once. Throws with the output if it fails. */
export async function runAssay(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const io = { env: environment, stdin: process.stdin, stdout: new PassThrough(), stderr: new PassThrough() };
  const printed = Promise.all([text(io.stdout), text(io.stderr)]);
  const code = await runCommand(words, io);
  io.stdout.end();
  io.stderr.end();
  const [stdout, stderr] = await printed;
  if (code !== 0) throw new Error(`assay ${words.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
