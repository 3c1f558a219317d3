import { type BrokenEntry, verifyActivities } from '../features/activity/index.ts';
import { uuid } from '../platform/database/uuid.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';

/** `assay activity`: checks the activity logs. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'activity', argv, io }, async (command) => {
    const { positionals, values } = readArguments(command.argv, { user: { type: 'string' } });
    if (positionals.join(' ') !== 'verify') throw new UsageError('Say what to do: verify.');
    if (values.user !== undefined && !uuid.test(values.user)) {
      throw new UsageError('--user takes the id of a customer, a UUID.');
    }

    return withDatabase(io, async (db) => {
      const { chains, entries, broken } = await verifyActivities(db, values.user);
      const lines = [
        ...broken.map(describe),
        broken.length === 0
          ? `The activity logs verify: ${chains} customers, ${entries} entries.`
          : `The activity logs do not verify: ${broken.length} of ${chains} customers.`,
      ];
      command.print([{ customers: chains, entries, broken }], `${lines.join('\n')}\n`);
      return broken.length === 0 ? 0 : 1;
    });
  });
}

const says: Record<BrokenEntry['problem'], string> = {
  missing: 'is missing',
  contents_changed: 'has other contents than it was written with',
  contents_removed: 'lost its contents before its year was over',
  list_name_removed: 'lost the name of a list that was not deleted',
  hash_changed: 'does not follow from the entry before it',
  chain_changed: 'is not the one that the log ends with',
  log_closed: 'is the last one, because the log was closed although the account exists',
};

const describe = ({ ownerId, number, problem }: BrokenEntry): string =>
  `customer ${ownerId}: entry ${number} ${says[problem]}`;
