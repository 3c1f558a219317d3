import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import { openDatabase } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { createFolderStore } from '../../platform/files/folder-store.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { openQueue } from '../../platform/queue/index.ts';
import { auditLedger } from '../billing/index.ts';
import type { BackupPlace } from './backup/backup-place.ts';
import { withCopyConnection } from './backup/copy-connection.ts';
import { type CheckedBackup, loadBackup, RestoreRefused } from './backup/restore-backup.ts';
import { catchUpAfterRestore, type RestoreEnd } from './catch-up-after-restore.ts';
import { logFolder } from './deletion-log.ts';

interface RehearsalOrder {
  /** The server on which a scratch database is made and dropped again. */
  readonly databaseUrl: string;
  /** An empty database to use instead, where the role may make none. It is left as the restore made it. */
  readonly scratchUrl: string | undefined;
  readonly place: BackupPlace;
  readonly identity: string;
  readonly checked: CheckedBackup;
  /** The file store of the installation: only the log of deletions is read. */
  readonly files: FileStore;
  readonly managesIdentities: boolean;
  readonly clock?: Clock;
}

export interface Rehearsal extends RestoreEnd {
  readonly rowCount: number;
  readonly fileCount: number;
  /** Accounts whose balance, holds and entries do not add up. */
  readonly disagreementCount: number;
  readonly seconds: number;
}

/** Does everything that a restore does, beside the installation: a scratch database, a temporary folder, and no process. */
export async function rehearseRestore(order: RehearsalOrder): Promise<Rehearsal> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'assay-rehearsal-'));
  try {
    const end = await withScratchDatabase(order, (databaseUrl) => restoreTo(databaseUrl, folder, order));
    return { ...end, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreTo(databaseUrl: string, folder: string, order: RehearsalOrder) {
  const { checked, clock = systemClock } = order;
  const { secret, previousSecrets, mailboxTokenKeys } = checked.secrets;
  const copies = createFolderStore(join(folder, 'files'));
  await loadBackup({
    ...order,
    databaseUrl,
    files: copies,
    sources: { dataFolder: folder, secret: null, previousSecrets, mailboxTokenKeys },
    replaces: false,
  });
  const logger = createLogger({ level: 'silent', process: 'restore' });
  const applicationName = 'assay restore rehearsal';
  const database = openDatabase({
    url: databaseUrl,
    poolSize: 2,
    applicationName,
    onIdleError: () => undefined,
  });
  const queue = await openQueue({ databaseUrl, applicationName, logger });
  const { entries, origin } = checked.manifest;
  const parts = {
    db: database.db,
    clock,
    queue,
    secrets: createSecrets(secret, previousSecrets),
    files: withLogOf(order.files, copies),
    managesIdentities: order.managesIdentities,
  };
  try {
    return {
      ...(await catchUpAfterRestore(parts, new Date(origin.takenAt))),
      rowCount: entries.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0),
      fileCount: entries.filter(({ kind }) => kind === 'file').length,
      disagreementCount: (await Array.fromAsync(auditLedger(parts.db))).length,
    };
  } finally {
    await queue.close();
    await database.close();
  }
}

/** The log of deletions of the installation, and all else from the copies: a rehearsal changes nothing that is real. */
const withLogOf = (real: FileStore, copies: FileStore): FileStore => ({
  ...copies,
  read: (key) => (key.startsWith(`${logFolder}/`) ? real : copies).read(key),
  list: (key) => (key === logFolder ? real : copies).list(key),
});

async function withScratchDatabase<Result>(
  { databaseUrl, scratchUrl }: RehearsalOrder,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  if (scratchUrl !== undefined) return work(scratchUrl);
  const name = `assay_rehearsal_${randomBytes(6).toString('hex')}`;
  const administer = (statement: string) =>
    withCopyConnection({ url: databaseUrl, applicationName: 'assay command' }, (client) =>
      client.query(statement),
    );
  await administer(`create database ${name}`).catch((error: pg.DatabaseError) => {
    if (error.code !== '42501') throw error;
    throw new RestoreRefused(
      'The role of the database may not create databases. Make an empty one and give its address with --scratch URL.',
    );
  });
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return work(url.href).finally(() => administer(`drop database ${name} with (force)`));
}
