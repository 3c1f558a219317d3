import { domainToASCII } from 'node:url';
import { findStops } from '../features/engine/index.ts';
import { liftOwnerStop, stopForOwner } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { formatTable } from './table.ts';

/** `assay owners`: domains that we leave alone because their owner or their host asked for it. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'owners', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, reasonOptions);
    const [verb, domainWord, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one domain at a time.');
    if (verb === 'list') return list(command);
    if (verb !== 'stop' && verb !== 'lift') throw new UsageError('Say what to do: list, stop or lift.');
    const domain = domainToASCII(domainWord ?? '');
    if (!domain.includes('.')) throw new UsageError('Name a domain, such as example.com.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, async (db) => {
      const parts = { db, clock: systemClock };
      if (verb === 'stop') await stopForOwner(parts, by, domain);
      else if (!(await liftOwnerStop(parts, by, domain)))
        throw new CommandRefused('This domain is not left alone. `assay owners list` shows all that are.');
      const state = verb === 'stop' ? 'left alone' : 'asked again';
      command.print([{ domain, state }], `${domain} is ${state}, by every worker within an hour.\n`);
      return 0;
    });
  });
}

const list = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const stops = (await findStops(db)).map(({ domain, until, host, words }) => ({
      domain,
      until: until.toISOString().slice(0, 10),
      host,
      words: words.replaceAll('\n', ' '),
    }));
    command.print(stops, formatTable(stops, 'No owner and no host asked us to stop.'));
    return 0;
  });
