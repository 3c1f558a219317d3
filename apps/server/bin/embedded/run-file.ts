import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** How the operator's commands reach the product that runs on a data folder. */
export interface Run {
  readonly pid: number;
  readonly url: string;
  /** The settings of the product's own processes: those that it was started with, and those of the stand-ins. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The process that uses a data folder. It contains a whole `Run` from the moment that the product is ready. */
type Claim = Pick<Run, 'pid'> & Partial<Run> & { readonly processStart?: string };

const lockPauseMs = 25;
/** A process holds the lock for milliseconds; an older one was left by a crash. */
const lockAgeMaxMs = 10_000;

const pathIn = (dataFolder: string): string => join(dataFolder, 'run.json');

/**
 * Claims a data folder for this process, or throws. Only one process may use a folder: starting the embedded database
 * stops the server that another process runs on it. A claim whose process has died is taken over.
 */
export async function claimDataFolder(dataFolder: string): Promise<void> {
  while (!(await createClaim(dataFolder))) {
    const holder = await readClaim(dataFolder);
    if (holder && (await isHeld(holder))) throw new Error(refusalText(holder));
    await removeAbandonedClaim(dataFolder);
  }
}

/** Tells the operator's commands how to reach the product, now that it is ready. */
export async function publishRun(dataFolder: string, run: Omit<Run, 'pid'>): Promise<void> {
  await rename(await writeDraft(dataFolder, run), pathIn(dataFolder));
}

/** From now on the commands do not find the product, which is about to stop; the folder stays claimed. */
export async function withdrawRun(dataFolder: string): Promise<void> {
  await rename(await writeDraft(dataFolder), pathIn(dataFolder));
}

export async function releaseDataFolder(dataFolder: string): Promise<void> {
  await rm(pathIn(dataFolder), { force: true });
}

/** The product that runs on this data folder and is ready, or null. */
export async function findRun(dataFolder: string): Promise<Run | null> {
  const claim = await readClaim(dataFolder);
  if (!claim?.url || !claim.environment || !(await isHeld(claim))) return null;
  return { pid: claim.pid, url: claim.url, environment: claim.environment };
}

/** The claim appears with its whole content, or not at all when there is one already. */
async function createClaim(dataFolder: string): Promise<boolean> {
  const draft = await writeDraft(dataFolder);
  try {
    return await unlessThere(link(draft, pathIn(dataFolder)));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Only its owner may read it: it contains the address of the database with the password. */
async function writeDraft(dataFolder: string, run: Omit<Run, 'pid'> | null = null): Promise<string> {
  const draft = `${pathIn(dataFolder)}.${process.pid}`;
  const claim: Claim = { pid: process.pid, processStart: await startOf(process.pid), ...run };
  await writeFile(draft, JSON.stringify(claim, null, 2), { mode: 0o600 });
  return draft;
}

/** Null without a claim; a claim that no process holds when its text is damaged. */
async function readClaim(dataFolder: string): Promise<Claim | null> {
  const text = await readFile(pathIn(dataFolder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Claim;
  } catch {
    return { pid: process.pid };
  }
}

/** Only the process with the lock looks and removes, so that no process removes the claim of the one that came next. */
async function removeAbandonedClaim(dataFolder: string): Promise<void> {
  const lock = `${pathIn(dataFolder)}.lock`;
  if (!(await unlessThere(writeFile(lock, '', { flag: 'wx' })))) {
    const ageMs = Date.now() - (await stat(lock).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (ageMs > lockAgeMaxMs) await rm(lock, { force: true });
    else await setTimeout(lockPauseMs);
    return;
  }
  try {
    const claim = await readClaim(dataFolder);
    if (claim && !(await isHeld(claim))) await rm(pathIn(dataFolder), { force: true });
  } finally {
    await rm(lock, { force: true });
  }
}

/** Whether the file was made: false when it was there before. */
async function unlessThere(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

const refusalText = ({ pid, url }: Claim): string =>
  url
    ? `Assay already runs on this data folder (process ${pid}, ${url}). ${waysOut}`
    : `Another Assay process (${pid}) is starting or stopping on this data folder, or runs a command on it. Wait for it to finish, then try again.`;

const waysOut = 'Stop it first, or start another with its own data: ASSAY_DATA=.assay-two npm start';

/** Our own number in a file is that of an earlier process: in a container, every start may have the same one. */
async function isHeld({ pid, processStart }: Claim): Promise<boolean> {
  if (pid === process.pid || !isAlive(pid)) return false;
  const startNow = await startOf(pid);
  return !processStart || !startNow || processStart === startNow;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When a process started, to tell it from an earlier one with the same number, for example before the machine started
 * again. Empty except on Linux. See proc_pid_stat(5): field 22, counted from the end of the name, which may contain spaces.
 */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
