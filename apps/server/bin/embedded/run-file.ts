import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** How the operator's commands reach the product that runs on a data folder. */
export interface Run {
  readonly pid: number;
  readonly url: string;
  /** The environment that the product's own processes were given, beyond what they inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The process that uses a data folder. It is a whole `Run` from the moment that the product is ready. */
type Claim = Pick<Run, 'pid'> & Partial<Run>;

const readsMax = 20;
const readPauseMs = 25;

const pathIn = (dataFolder: string): string => join(dataFolder, 'run.json');

/**
 * Claims a data folder for this process, or throws. Only one process may use a folder: starting the embedded database
 * stops the server that another process runs on it. A claim whose process has died is taken over.
 */
export async function claimDataFolder(dataFolder: string): Promise<void> {
  while (!(await writeClaim(dataFolder, { pid: process.pid }, 'wx'))) {
    const holder = await readClaim(pathIn(dataFolder));
    if (holder && isHeld(holder)) throw new Error(refusalText(holder));
    await removeAbandonedClaim(dataFolder);
  }
}

/** Tells the operator's commands how to reach the product, now that it is ready. */
export async function publishRun(dataFolder: string, run: Omit<Run, 'pid'>): Promise<void> {
  await writeClaim(dataFolder, { pid: process.pid, ...run }, 'w');
}

/** From now on the commands do not find the product, which is about to stop; the folder stays claimed. */
export async function withdrawRun(dataFolder: string): Promise<void> {
  await writeClaim(dataFolder, { pid: process.pid }, 'w');
}

export async function releaseDataFolder(dataFolder: string): Promise<void> {
  await rm(pathIn(dataFolder), { force: true });
}

/** The product that runs on this data folder and is ready, or null. */
export async function findRun(dataFolder: string): Promise<Run | null> {
  const claim = await readClaim(pathIn(dataFolder));
  if (!claim?.url || !claim.environment || !isHeld(claim)) return null;
  return { pid: claim.pid, url: claim.url, environment: claim.environment };
}

/** Only its owner may read it: it holds the address of the database, password included. */
async function writeClaim(dataFolder: string, claim: Claim, flag: 'w' | 'wx'): Promise<boolean> {
  try {
    await writeFile(pathIn(dataFolder), JSON.stringify(claim, null, 2), { mode: 0o600, flag });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Reads again while another process is writing the file. One that stays unreadable was left by a crash. */
async function readClaim(path: string): Promise<Claim | null> {
  for (let reads = 0; reads < readsMax; reads++) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return JSON.parse(text) as Claim;
    } catch {
      await setTimeout(readPauseMs);
    }
  }
  return null;
}

/** Moves the claim aside before removing it, so that of several processes only one gets hold of it. */
async function removeAbandonedClaim(dataFolder: string): Promise<void> {
  const aside = `${pathIn(dataFolder)}.${process.pid}`;
  try {
    await rename(pathIn(dataFolder), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  const claim = await readClaim(aside);
  // Another process has taken the folder over since we looked: it gets its claim back.
  if (claim && isHeld(claim)) await rename(aside, pathIn(dataFolder));
  else await rm(aside, { force: true });
}

const refusalText = ({ pid, url }: Claim): string =>
  url
    ? `Assay already runs on this data folder (process ${pid}, ${url}). ${waysOut}`
    : `Another Assay process (${pid}) is starting or stopping on this data folder, or runs a command on it. Wait for it to finish, then try again.`;

const waysOut = 'Stop it first, or start another with its own data: ASSAY_DATA=.assay-two npm start';

/** Our own number in a file is that of an earlier process: in a container, every start may have the same one. */
function isHeld({ pid }: Claim): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
