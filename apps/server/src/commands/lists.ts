import type { RunningList } from '@assay/contract/operator';
import { controlList, findStuckLists } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { uuid } from '../platform/database/uuid.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
  withQueue,
} from './command.ts';
import { formatTable } from './table.ts';

/** `assay lists`: running lists that do not get on. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'lists', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, reasonOptions);
    const [verb, id, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one list at a time.');
    if (verb === 'stuck') return showStuck(command);
    if (verb !== 'restart' && verb !== 'finish')
      throw new UsageError('Say what to do: stuck, restart or finish.');
    if (id === undefined || !uuid.test(id)) throw new UsageError('Name the id of a list, as stuck shows it.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, (db) =>
      withQueue(io, async (queue) => {
        const parts = { db, queue, clock: systemClock };
        const list = (await findStuckLists(parts)).find((stuck) => stuck.id === id.toLowerCase());
        if (!list) throw new CommandRefused('No stuck list has this id. `assay lists stuck` shows all.');
        await controlList(parts, by, { ownerId: list.owner_id, listId: list.id, kind: list.kind }, verb);
        command.print(
          [{ id: list.id, state: verb === 'restart' ? 'restarted' : 'finishing' }],
          `List ${list.id} ${verb === 'restart' ? 'goes on' : 'is being finished'}.\n`,
        );
        return 0;
      }),
    );
  });
}

const showStuck = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const stuck = await findStuckLists({ db, clock: systemClock });
    const lists = stuck.map((list) => ({
      id: list.id,
      customer: list.owner_id,
      kind: list.kind,
      percent: Math.floor(list.progress),
      last_result: list.last_result_date,
      why: whyOf(list),
    }));
    command.print(lists, formatTable(lists, 'No list is stuck.'));
    return 0;
  });

const whyOf = ({ why, detail }: RunningList): string => {
  const words = why.replaceAll('_', ' ');
  return detail ? `${words}: ${detail}` : words;
};
