import type { RunningList } from '@assay/contract/operator';
import { controlList, findRunningLists } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
  withQueue,
} from './command.ts';
import { uuid } from './find-customer.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay lists stuck
  assay lists restart ID --reason TEXT
  assay lists finish ID --reason TEXT

stuck shows running lists without a result for ten minutes and why, the oldest first. restart enqueues the rows of one without a
result again; finish ends it without them: they become UNKNOWN and cost nothing.`;

/** `assay lists`: running lists that do not get on. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, reasonOptions);
    const [verb, id, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one list at a time.');
    if (verb === 'stuck') return showStuck(io);
    if (verb !== 'restart' && verb !== 'finish')
      throw new UsageError('Say what to do: stuck, restart or finish.');
    if (id === undefined || !uuid.test(id)) throw new UsageError('Name the id of a list, as stuck shows it.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, (db) =>
      withQueue(io, async (queue) => {
        const parts = { db, queue, clock: systemClock };
        const { results } = await findRunningLists(parts, { onlyStuck: true });
        const list = results.find((stuck) => stuck.id === id.toLowerCase());
        if (!list) throw new CommandRefused('No stuck list has this id. `assay lists stuck` shows all.');
        await controlList(parts, by, { ownerId: list.owner_id, listId: list.id, kind: list.kind }, verb);
        io.stdout.write(`List ${list.id} ${verb === 'restart' ? 'goes on' : 'is being finished'}.\n`);
        return 0;
      }),
    );
  });
}

const showStuck = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const { results: lists } = await findRunningLists({ db, clock: systemClock }, { onlyStuck: true });
    io.stdout.write(
      lists.length === 0
        ? 'No list is stuck.\n'
        : formatTable([
            ['id', 'customer', 'kind', 'progress', 'last result', 'why'],
            ...lists.map((list) => [
              ...[list.id, list.owner_id, list.kind, `${Math.floor(list.progress)} %`],
              ...[list.last_result_date, whyOf(list)],
            ]),
          ]),
    );
    return 0;
  });

const whyOf = ({ why, detail }: RunningList): string => {
  const words = why.replaceAll('_', ' ');
  return detail ? `${words}: ${detail}` : words;
};
