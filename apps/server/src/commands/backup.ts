import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  newBackupKey,
  openBackupPlace,
  readSecrets,
  recordBackup,
  writeBackup,
} from '../features/recovery/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type RecoveryConfig, readRecoveryConfig } from '../platform/config/index.ts';
import { ensureKept } from '../platform/files/kept-file.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { readVersion } from '../platform/version.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';

const usage = `Usage:
  assay backup FILE

Writes the whole installation to FILE, a path or s3://bucket/key: database, uploaded files and secrets, as of one moment,
compressed and encrypted. Nothing has to stop. See docs/operations.md.`;

/** `assay backup`: one consistent snapshot. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const [file, ...others] = readArguments(argv, {}).positionals;
    if (!file || others.length > 0) throw new UsageError('Give one FILE.');

    const config = readRecoveryConfig(io.env);
    const { key, note } = await backupKeyOf(config);
    const order = {
      databaseUrl: config.database.directUrl,
      files: await openFileStore(config),
      secrets: await readSecrets(config),
      key,
      place: await openBackupPlace(file, config.s3),
      version: await readVersion(config.commit),
    };
    const summary = await withDatabase(io, (db) =>
      recordBackup({ db, clock: systemClock }, () => writeBackup(order)),
    );
    io.stdout.write(
      `${file}: ${summary.tableCount} tables with ${summary.rowCount} rows, ${summary.fileCount} files, ` +
        `${(summary.byteCount / 1e6).toFixed(1)} MB.\n${note}`,
    );
    return 0;
  });
}

const keyPath = ({ dataFolder }: RecoveryConfig): string => join(dataFolder, 'backup-key');

async function backupKeyOf(config: RecoveryConfig): Promise<{ key: string; note: string }> {
  if (config.backupKey) return { key: config.backupKey, note: '' };
  const path = keyPath(config);
  return {
    key: (await ensureKept(path, newBackupKey)).trim(),
    note: `Its key is ${path}. Keep a copy apart from this machine: without it the backup cannot be read.\n`,
  };
}

/** The key that opens backups. Null where this machine has none, or only the half that makes them. */
export async function readBackupKey(config: RecoveryConfig): Promise<string | null> {
  if (config.backupKey) return config.backupKey;
  return readFile(keyPath(config), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}
