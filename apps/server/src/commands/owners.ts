import { domainToASCII } from 'node:url';
import { findStops } from '../features/engine/index.ts';
import { liftOwnerStop, stopForOwner } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  CommandRefused,
  type CommandRun,
  defineVerbs,
  UsageError,
  type ValuesOf,
  withDatabase,
} from './command.ts';
import { printTable } from './table.ts';

/** `assay owners`: domains that we leave alone because their owner or their host asked for it. */
export const run = defineVerbs('owners', reasonOptions, {
  list: (command) =>
    printTable(command, 'No owner and no host asked us to stop.', async (db) =>
      (await findStops(db)).map(({ domain, until, host, words }) => ({
        domain,
        until: until.toISOString().slice(0, 10),
        host,
        words: words.replaceAll('\n', ' '),
      })),
    ),
  stop: (command) => change(command, 'left alone', stopForOwner),
  lift: (command) =>
    change(command, 'asked again', async (...order) => {
      if (!(await liftOwnerStop(...order)))
        throw new CommandRefused('This domain is not left alone. `assay owners list` shows all that are.');
    }),
});

async function change(
  command: CommandRun<ValuesOf<typeof reasonOptions>>,
  state: string,
  work: (...order: Parameters<typeof stopForOwner>) => Promise<void>,
): Promise<number> {
  const [word = '', ...others] = command.words;
  if (others.length > 0) throw new UsageError('Name one domain at a time.');
  const domain = domainToASCII(word);
  if (!domain.includes('.')) throw new UsageError('Name a domain, such as example.com.');
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    await work({ db, clock: systemClock }, by, domain);
    command.print([{ domain, state }], `${domain} is ${state}, by every worker within an hour.\n`);
    return 0;
  });
}
