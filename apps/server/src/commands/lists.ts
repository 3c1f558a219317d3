import type { RunningList } from '@assay/contract/operator';
import { controlList, findStuckLists } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  CommandRefused,
  type CommandRun,
  defineVerbs,
  type ValuesOf,
  withDatabase,
  withQueue,
} from './command.ts';
import { readId } from './read-options.ts';
import { printTable } from './table.ts';

/** `assay lists`: running lists that do not get on. */
export const run = defineVerbs('lists', reasonOptions, {
  stuck: (command) =>
    printTable(command, 'No list is stuck.', async (db) =>
      (await findStuckLists({ db, clock: systemClock })).map((list) => ({
        id: list.id,
        customer: list.owner_id,
        kind: list.kind,
        percent: Math.floor(list.progress),
        last_result: list.last_result_date,
        why: whyOf(list),
      })),
    ),
  restart: (command) => control(command, 'restart', ['restarted', 'goes on']),
  finish: (command) => control(command, 'finish', ['finishing', 'is being finished']),
});

async function control(
  command: CommandRun<ValuesOf<typeof reasonOptions>>,
  action: Parameters<typeof controlList>[3],
  [state, words]: readonly [state: string, words: string],
): Promise<number> {
  const id = readId(command.words, 'Name the id of a list, as stuck shows it.');
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, (db) =>
    withQueue(command, async (queue) => {
      const parts = { db, queue, clock: systemClock };
      const list = (await findStuckLists(parts)).find((stuck) => stuck.id === id);
      if (!list) throw new CommandRefused('No stuck list has this id. `assay lists stuck` shows all.');
      await controlList(parts, by, { ownerId: list.owner_id, listId: id, kind: list.kind }, action);
      command.print([{ id, state }], `List ${id} ${words}.\n`);
      return 0;
    }),
  );
}

const whyOf = ({ why, detail }: RunningList): string => {
  const words = why.replaceAll('_', ' ');
  return detail ? `${words}: ${detail}` : words;
};
