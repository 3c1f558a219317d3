import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Measurement {
  /** From before the start of the process until after its end. */
  wallMs: number;
  /** Of the process and its Node child processes. */
  cpuMs: number;
  /** Of the largest one. */
  peakMemoryMiB: number;
}

export interface Program {
  /** Arguments to node. */
  argv: string[];
  env?: Record<string, string>;
  onLine(line: string): void;
}

const probe = new URL('./usage-probe.mjs', import.meta.url).href;

/** Runs and measures a Node program, start-up included; throws if it fails. */
export async function measure({ argv, env, onLine }: Program): Promise<Measurement> {
  const usageFolder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['--import', probe, ...argv], {
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...env, BENCH_USAGE_FOLDER: usageFolder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stderr: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text) => stderr.push(text));
    const stdout: Buffer[] = [];
    child.stdout.on('data', (bytes) => stdout.push(bytes));
    const [code, signal] = await once(child, 'close');
    const wallMs = performance.now() - startedAt;
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code ?? signal}:\n${stderr.join('')}`);
    // Counts afterwards, because counting would take processor time from the measured program.
    for (const line of Buffer.concat(stdout).toString().split('\n')) if (line !== '') onLine(line);
    return { wallMs, ...(await readUsage(usageFolder)) };
  } finally {
    await rm(usageFolder, { recursive: true });
  }
}

async function readUsage(folder: string): Promise<{ cpuMs: number; peakMemoryMiB: number }> {
  let cpuMs = 0;
  let peakMemoryKiB = 0;
  for (const name of await readdir(folder)) {
    const usage = JSON.parse(await readFile(join(folder, name), 'utf8'));
    cpuMs += usage.cpuMs;
    peakMemoryKiB = Math.max(peakMemoryKiB, usage.peakMemoryKiB);
  }
  return { cpuMs, peakMemoryMiB: peakMemoryKiB / 1024 };
}

/** The path of a file of the bench or of the repository, for a child's command line. */
export function pathOf(relative: string, base: string): string {
  return fileURLToPath(new URL(relative, base));
}
