import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './browser.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the product under test is, and what its commands need to find it. */
    product: { readonly url: string; readonly dataFolder: string; readonly port: number };
  }
}

/** Starts the built product with the newcomer's own command, on ports and data of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Found before test files ask for it together, since finding may mean installing.
  process.env.CHROMIUM_PATH = await findBrowser();
  const dataFolder = await mkdtemp(join(tmpdir(), 'assay-browser-'));
  // Open to enter, so that the database's user finds its place here and nothing is left elsewhere.
  await chmod(dataFolder, 0o755);
  const port = await freePortRange();
  const product = startProduct({ dataFolder, port });
  // A run that is broken off does not come to its end below.
  process.once('exit', () => interrupt(product));
  await untilReady(product);
  project.provide('product', { url: `http://localhost:${port}`, dataFolder, port });

  return async () => {
    await stopProduct(product);
    await rm(dataFolder, { recursive: true, force: true });
  };
}

function startProduct({ dataFolder, port }: { dataFolder: string; port: number }): ChildProcess {
  return spawn('npm', ['start', '--silent'], {
    cwd: repository,
    env: {
      ...process.env,
      PORT: String(port),
      ASSAY_DATA: dataFolder,
      ASSAY_STAGE: 'staging',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, which is signalled as a whole.
    detached: true,
  });
}

function untilReady(product: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    product.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('Assay is ready')) resolve();
    });
    product.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)));
  });
}

/** Its output closes when the last of its processes has ended, and only then may its data go. */
function stopProduct(product: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    product.once('close', () => resolve());
    interrupt(product);
  });
}

/** As Ctrl-C in a terminal does. A signal to npm alone would end npm and leave the product behind. */
function interrupt({ pid, exitCode, signalCode }: ChildProcess): void {
  const isRunning = exitCode === null && signalCode === null;
  if (pid !== undefined && isRunning) process.kill(-pid, 'SIGINT');
}

/** The product takes the ports right above its own too; somewhere in the range between other programs' habits. */
async function freePortRange(): Promise<number> {
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
