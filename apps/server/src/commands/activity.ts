import { type BrokenEntry, verifyActivities } from '../features/activity/index.ts';
import { uuid } from '../platform/database/uuid.ts';
import { defineVerbs, refuseWords, UsageError, withDatabase } from './command.ts';

/** `assay activity`: checks the activity logs. */
export const run = defineVerbs(
  'activity',
  { user: { type: 'string' } },
  {
    verify: async (command) => {
      refuseWords(command);
      const { user } = command.values;
      if (user !== undefined && !uuid.test(user)) {
        throw new UsageError('--user takes the id of a customer, a UUID.');
      }

      return withDatabase(command, async (db) => {
        const { chains, entries, broken } = await verifyActivities(db, user);
        const lines = [
          ...broken.map(describe),
          broken.length === 0
            ? `The activity logs verify: ${chains} customers, ${entries} entries.`
            : `The activity logs do not verify: ${broken.length} of ${chains} customers.`,
        ];
        command.print([{ customers: chains, entries, broken }], `${lines.join('\n')}\n`);
        return broken.length === 0 ? 0 : 1;
      });
    },
  },
);

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
