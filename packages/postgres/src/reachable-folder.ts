import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** PostgreSQL refuses to run as root, so as root it is given this user: `nobody`, which owns nothing else. */
const unprivilegedId = 65_534;

/** Where folders go whose own place the unprivileged user cannot enter, such as a clone under /root. */
const sharedStateFolder = '/var/lib/assay';

/** The folder of the database's own files. */
export const clusterName = 'cluster';

export interface ServerUser {
  /** Left out when we are an ordinary user already: the server then runs as we do. */
  readonly uid?: number;
  readonly gid?: number;
}

export function serverUser(): ServerUser {
  return process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : {};
}

/** The folder itself, or a stand-in elsewhere that the server's user can enter; nobody else may enter it. */
export async function makeReachableFolder(wanted: string, user: ServerUser): Promise<string> {
  const folder = await chooseFolder(resolve(wanted), user);
  await mkdir(folder, { recursive: true });
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  return folder;
}

/** Shuts a folder of ours to everybody else; the server's user may still pass through it to its own. */
export async function makePrivate(folder: string): Promise<void> {
  const { gid } = serverUser();
  if (gid !== undefined) await chown(folder, -1, gid);
  await chmod(folder, gid === undefined ? 0o700 : 0o710);
}

async function chooseFolder(wanted: string, user: ServerUser): Promise<string> {
  if (user.uid === undefined) return wanted;

  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const standIn = join(sharedStateFolder, name);
  if (!(await canEnterParents(wanted))) return standIn;

  // A cluster stays where an earlier start made it, even if its user can enter the wanted folder by now.
  const isKeptInStandIn = !(await hasCluster(wanted)) && (await hasCluster(standIn));
  return isKeptInStandIn ? standIn : wanted;
}

const hasCluster = (folder: string): Promise<boolean> =>
  stat(join(folder, clusterName, 'PG_VERSION')).then(
    () => true,
    () => false,
  );

async function canEnterParents(folder: string): Promise<boolean> {
  const parent = dirname(folder);
  if (parent === folder) return true;

  const mayEnter = await stat(parent).then(
    ({ mode, gid }) => (mode & 0o001) !== 0 || (gid === unprivilegedId && (mode & 0o010) !== 0),
    // A parent that is still to be made will be made by us, open to enter.
    () => true,
  );
  return mayEnter && canEnterParents(parent);
}
