import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BackupPlace,
  giveUpDeadBackups,
  type KeepRule,
  newBackupKey,
  openBackupPlace,
  openSeries,
  openSeriesStore,
  readKeepRule,
  readSecrets,
  recordBackup,
  writeBackup,
} from '../features/recovery/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type RecoveryConfig, readRecoveryConfig } from '../platform/config/index.ts';
import type { Db } from '../platform/database/database.ts';
import { ensureKept } from '../platform/files/kept-file.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { readVersion } from '../platform/version.ts';
import { CommandRefused, type CommandRun, defineCommand, UsageError, withDatabase } from './command.ts';

const options = { overwrite: { type: 'boolean' }, keep: { type: 'string' } } as const;

/** `assay backup`: one consistent snapshot. */
export const run = defineCommand('backup', options, async (command) => {
  const { values } = command;
  const [target, ...others] = command.words;
  if (!target || others.length > 0) throw new UsageError('Give one FILE or FOLDER.');
  if (values.keep === undefined) return backUpTo(command, target, values.overwrite === true);

  const rule = readKeepRule(values.keep);
  if (!rule) throw new UsageError(`--keep ${values.keep}: write numbers of days, weeks, months or years.`);
  return backUpInSeries(command, target, rule);
});

async function backUpTo(command: CommandRun, file: string, overwrites: boolean): Promise<number> {
  const config = readRecoveryConfig(command.env);
  if (!overwrites && (await exists(file))) {
    throw new CommandRefused(`${file} exists. Give another name, or --overwrite.`);
  }
  const place = await openBackupPlace(file, config.s3);
  await withDatabase(command, async (db) => {
    await giveUpDeadBackups({ db, clock: systemClock });
    await backUp(command, { db, config, name: file, placeOf: () => place });
  });
  return 0;
}

async function backUpInSeries(command: CommandRun, folder: string, rule: KeepRule): Promise<number> {
  const config = readRecoveryConfig(command.env);
  const series = openSeries(await openSeriesStore(folder, config.s3));
  await withDatabase(command, async (db) => {
    for (const startedAt of await giveUpDeadBackups({ db, clock: systemClock })) {
      await series.removeUnfinished(startedAt);
    }
    await backUp(command, { db, config, name: folder, placeOf: (startedAt) => series.placeOf(startedAt) });
  });
  const pruned = await series.prune(rule);
  for (const key of pruned) command.print([{ removed: key }], `Removed ${key}.\n`);
  return 0;
}

interface BackUpOrder {
  readonly db: Db;
  readonly config: RecoveryConfig;
  readonly name: string;
  readonly placeOf: (startedAt: Date) => BackupPlace;
}

async function backUp(command: CommandRun, { db, config, name, placeOf }: BackUpOrder): Promise<void> {
  const { key, keyFile } = await backupKeyOf(config);
  const order = {
    databaseUrl: config.database.directUrl,
    files: await openFileStore(config),
    secrets: await readSecrets(config),
    key,
    version: await readVersion(config.commit),
  };
  const { tableCount, rowCount, fileCount, byteCount } = await recordBackup(
    { db, clock: systemClock, directUrl: config.database.directUrl },
    (startedAt) => writeBackup({ ...order, place: placeOf(startedAt) }),
  );
  command.print(
    [{ name, tables: tableCount, rows: rowCount, files: fileCount, bytes: byteCount, key: keyFile }],
    `${name}: ${tableCount} tables with ${rowCount} rows, ${fileCount} files, ${(byteCount / 1e6).toFixed(1)} MB. ` +
      `Read again and found whole.\n${noteAbout(keyFile)}`,
  );
}

/** Objects of a store are replaced as a whole or not at all, and reading one first may be forbidden. */
const exists = (file: string): Promise<boolean> =>
  file.startsWith('s3://')
    ? Promise.resolve(false)
    : access(file).then(
        () => true,
        () => false,
      );

const keyPath = ({ dataFolder }: RecoveryConfig): string => join(dataFolder, 'backup-key');

/** Where the operator gave no key, one is kept in a file of this machine. */
async function backupKeyOf(config: RecoveryConfig): Promise<{ key: string; keyFile: string | null }> {
  if (config.backupKey) return { key: config.backupKey, keyFile: null };
  const keyFile = keyPath(config);
  return { key: (await ensureKept(keyFile, newBackupKey)).trim(), keyFile };
}

const noteAbout = (keyFile: string | null): string =>
  keyFile === null
    ? ''
    : `Its key is ${keyFile}. Keep a copy apart from this machine: without it the backup cannot be read.\n`;

/** The key that opens backups. Null where this machine has none, or only the half that makes them. */
export async function readBackupKey(config: RecoveryConfig): Promise<string | null> {
  if (config.backupKey) return config.backupKey;
  return readFile(keyPath(config), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}
