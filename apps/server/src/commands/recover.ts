import { RestoreRefused, readSecrets, recoverDatabase, requireStopped } from '../features/recovery/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readRecoveryConfig } from '../platform/config/index.ts';
import { createSecrets } from '../platform/crypto/secrets.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import {
  CommandRefused,
  defineCommand,
  refuseWords,
  UsageError,
  withDatabase,
  withQueue,
} from './command.ts';
import { describeEnd } from './restore.ts';

/** `assay recover`: the steps of a restore for a database that somebody else restored. */
export const run = defineCommand('recover', { since: { type: 'string' } }, async (command) => {
  refuseWords(command);
  const { values } = command;
  const since = values.since === undefined ? undefined : new Date(values.since);
  if (since && Number.isNaN(since.getTime())) throw new UsageError(`--since ${values.since} is no time.`);

  const config = readRecoveryConfig(command.env);
  const { secret, previousSecrets } = await readSecrets(config);
  const parts = {
    clock: systemClock,
    secrets: createSecrets(secret, previousSecrets),
    files: await openFileStore(config),
    managesIdentities: config.managesIdentities,
  };
  try {
    await requireStopped(config.database.directUrl);
    const end = await withDatabase(command, (db) =>
      withQueue(command, (queue) =>
        recoverDatabase({ ...parts, db, queue }, { directUrl: config.database.directUrl, since }),
      ),
    );
    command.print([end], `Recovered to ${end.since.toISOString()}. ${describeEnd(end)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof RestoreRefused) throw new CommandRefused(error.message);
    throw error;
  }
});
