import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A product started with `npm start`, and its output so far. */
export interface StartedProduct {
  readonly process: ChildProcess;
  readonly printed: () => string;
  /** Its exit code, after the last of its processes has closed its output. */
  readonly ended: Promise<number | null>;
}

/** The customers of all tests have addresses of a few domains, and call from one network address. */
const manyCustomers = { FREE_CREDITS_PER_DOMAIN: '1000000', RATE_LIMIT_PER_ADDRESS: '1000000' };

/** Runs `npm start` with these settings and options. */
export function startProduct(env: Record<string, string>, options: readonly string[] = []): StartedProduct {
  const child = spawn('npm', ['start', '--silent', '--', ...options], {
    cwd: repository,
    env: { ...process.env, LOG_LEVEL: 'warn', ...manyCustomers, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that a signal reaches all of it.
    detached: true,
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, printed: () => printed, ended };
}

/** Resolves when the product says that it is ready; rejects with its output when it ends instead. */
export function untilReady({ process: child, printed }: StartedProduct): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (printed().includes('Assay is ready')) resolve();
    });
    child.once('close', (code) => reject(new Error(`npm start ended with ${code}:\n${printed()}`)));
  });
}

/** As Ctrl-C in a terminal does. */
export function interrupt({ process: { pid, exitCode, signalCode } }: StartedProduct): void {
  const isRunning = exitCode === null && signalCode === null;
  if (pid !== undefined && isRunning) process.kill(-pid, 'SIGINT');
}

/** The product needs the ports right above its own too. */
export async function freePortRange(): Promise<number> {
  const span = 11;
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = 20_000 + Math.floor(Math.random() * 900) * span;
    const free = await Promise.all(Array.from({ length: span }, (_, offset) => isFree(first + offset)));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${span} free ports in a row were found.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
