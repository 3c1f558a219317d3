import { writeFile } from 'node:fs/promises';
import {
  BackupDamaged,
  BackupLocked,
  catchUpAfterRestore,
  checkBackup,
  describeSecrets,
  isRecipient,
  loadBackup,
  openBackupPlace,
  type RestoreEnd,
  RestoreRefused,
  rehearseRestore,
} from '../features/recovery/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readRecoveryConfig } from '../platform/config/index.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import { createLogger } from '../platform/logging/index.ts';
import { openQueue } from '../platform/queue/index.ts';
import { readBackupKey } from './backup.ts';
import { CommandRefused, type CommandRun, defineCommand, UsageError, withDatabase } from './command.ts';

const options = {
  yes: { type: 'boolean' },
  secrets: { type: 'string' },
  rehearse: { type: 'boolean' },
  scratch: { type: 'string' },
} as const;

/** `assay restore`: the way back from a backup. */
export const run = defineCommand('restore', options, async (command) => {
  const { values } = command;
  const [file, ...others] = command.words;
  if (!file || others.length > 0) throw new UsageError('Give one FILE.');
  try {
    const backup = await openBackup(command, file);
    if (values.secrets !== undefined) return await printSecrets(command, backup, values.secrets);
    if (values.rehearse) return await rehearse(command, backup, values.scratch);
    return await restore(command, backup, values.yes === true);
  } catch (error) {
    if (error instanceof BackupDamaged || error instanceof BackupLocked || error instanceof RestoreRefused) {
      throw new CommandRefused(error.message);
    }
    throw error;
  }
});

type OpenBackup = Awaited<ReturnType<typeof openBackup>>;

/** Checks the whole backup before anything is done with it. */
async function openBackup(command: CommandRun, file: string) {
  const config = readRecoveryConfig(command.env);
  const identity = await readBackupKey(config);
  if (identity === null || isRecipient(identity)) {
    throw new CommandRefused('Set ASSAY_BACKUP_KEY to the key that opens the backup (AGE-SECRET-KEY-1…).');
  }
  const place = await openBackupPlace(file, config.s3);
  const checked = await checkBackup(place, identity);
  const { origin, entries } = checked.manifest;
  command.print(
    [{ ...origin, entries: entries.length }],
    `The backup is whole: taken at ${origin.takenAt} by version ${origin.version} (${origin.commit}), ${entries.length} entries.\n`,
  );
  return { config, identity, place, checked };
}

async function printSecrets(command: CommandRun, { checked }: OpenBackup, path: string): Promise<number> {
  await writeFile(path, describeSecrets(checked.secrets), { mode: 0o600, flag: 'wx' });
  command.print([{ secrets: path }], `Its secrets are in ${path}.\n`);
  return 0;
}

async function rehearse(
  command: CommandRun,
  { config, ...backup }: OpenBackup,
  scratchUrl: string | undefined,
): Promise<number> {
  const report = await rehearseRestore({
    ...backup,
    databaseUrl: config.database.directUrl,
    scratchUrl,
    files: await openFileStore(config),
    managesIdentities: config.managesIdentities,
  });
  const isSound = report.disagreementCount === 0;
  command.print(
    [report],
    [
      `Rehearsed in ${report.seconds.toFixed(1)} s: ${report.rowCount} rows and ${report.fileCount} files loaded and migrated.`,
      `A restore would repeat ${report.deletionCount} later deletions and ${report.revocationCount} later revocations, give up ${report.droppedDeliveryCount} waiting webhooks, and compare ${report.customersToSync} customers with the payment provider.`,
      isSound
        ? 'The ledger adds up.'
        : `The ledger of ${report.disagreementCount} accounts does not add up: run \`assay ledger audit\` on the installation too.`,
      '',
    ].join('\n'),
  );
  return isSound ? 0 : 1;
}

async function restore(
  command: CommandRun,
  { config, identity, place, checked }: OpenBackup,
  replaces: boolean,
): Promise<number> {
  const { origin } = checked.manifest;
  const files = await openFileStore(config);
  await loadBackup({
    databaseUrl: config.database.directUrl,
    files,
    sources: config,
    place,
    identity,
    checked,
    replaces,
  });
  const queue = await openQueue({
    databaseUrl: config.database.url,
    applicationName: 'assay restore',
    logger: createLogger({ level: 'silent', process: 'restore' }),
  });
  const secrets = createSecrets(checked.secrets.secret, checked.secrets.previousSecrets);
  const end = await withDatabase(command, (db) =>
    catchUpAfterRestore(
      { db, clock: systemClock, secrets, queue, files, managesIdentities: config.managesIdentities },
      new Date(origin.takenAt),
    ),
  ).finally(() => queue.close());
  command.print(
    [end],
    `Restored. ${describeEnd(end)}\n` +
      'Start the product, then run `assay ledger audit`, `assay activity verify` and `assay operators verify`.\n' +
      `With Stripe, \`assay payments strays --since ${origin.takenAt}\` shows its customers that were made after the backup.\n`,
  );
  return 0;
}

/** What was repeated after the rows were brought back. */
export const describeEnd = (end: RestoreEnd): string =>
  `${end.deletionCount} later deletions and ${end.revocationCount} later revocations repeated, ` +
  `${end.droppedDeliveryCount} waiting webhooks given up, ${end.customersToSync} customers to compare with the payment provider.`;
