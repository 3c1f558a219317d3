import { listDeadLetters, settleDeadLetter } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandRun, defineVerbs, type ValuesOf, withDatabase, withQueue } from './command.ts';
import { readId } from './read-options.ts';
import { printTable } from './table.ts';

/** `assay jobs`: jobs that failed for good. */
export const run = defineVerbs('jobs', reasonOptions, {
  list: (command) =>
    printTable(command, 'No job has failed for good.', async (db) =>
      (await listDeadLetters(db)).map(({ id, queue, tries, problem, date }) => ({
        id,
        queue,
        tries,
        failed: date,
        problem,
      })),
    ),
  retry: (command) => settle(command, 'retry', ['waiting', 'back in its queue']),
  discard: (command) => settle(command, 'discard', ['removed', 'removed']),
});

async function settle(
  command: CommandRun<ValuesOf<typeof reasonOptions>>,
  action: Parameters<typeof settleDeadLetter>[3],
  [state, words]: readonly [state: string, words: string],
): Promise<number> {
  const id = readId(command.words, 'Name the id of a job, as list shows it.');
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, (db) =>
    withQueue(command, async (queue) => {
      await settleDeadLetter({ db, queue, clock: systemClock }, by, id, action);
      command.print([{ id, state }], `Job ${id} is ${words}.\n`);
      return 0;
    }),
  );
}
