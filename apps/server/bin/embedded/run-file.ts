import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running product leaves in its data folder, so that the operator's commands find it. */
export interface RunFile {
  readonly pid: number;
  readonly url: string;
  /** The environment that the product's own processes were given, beyond what they inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

const pathIn = (dataFolder: string): string => join(dataFolder, 'run.json');

/** Only its owner may read it: it holds the address of the database, password included. */
export async function writeRunFile(dataFolder: string, run: RunFile): Promise<void> {
  await writeFile(pathIn(dataFolder), JSON.stringify(run, null, 2), { mode: 0o600 });
}

export async function removeRunFile(dataFolder: string): Promise<void> {
  await rm(pathIn(dataFolder), { force: true });
}

/** The product that runs on this data folder now, or null; a file left by a killed one does not count. */
export async function readRunFile(dataFolder: string): Promise<RunFile | null> {
  const text = await readFile(pathIn(dataFolder), 'utf8').catch(() => null);
  if (text === null) return null;

  const run = JSON.parse(text) as RunFile;
  return isAlive(run.pid) ? run : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
