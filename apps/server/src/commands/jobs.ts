import { listDeadLetters, settleDeadLetter } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { uuid } from '../platform/database/uuid.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
  withQueue,
} from './command.ts';
import { formatTable } from './table.ts';

/** `assay jobs`: jobs that failed for good. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'jobs', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, reasonOptions);
    const [verb, id, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one job at a time.');
    if (verb === 'list') return list(command);
    if (verb !== 'retry' && verb !== 'discard')
      throw new UsageError('Say what to do: list, retry or discard.');
    if (id === undefined || !uuid.test(id)) throw new UsageError('Name the id of a job, as list shows it.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, (db) =>
      withQueue(io, async (queue) => {
        await settleDeadLetter({ db, queue, clock: systemClock }, by, id, verb);
        command.print(
          [{ id, state: verb === 'retry' ? 'waiting' : 'removed' }],
          `Job ${id} is ${verb === 'retry' ? 'back in its queue' : 'removed'}.\n`,
        );
        return 0;
      }),
    );
  });
}

const list = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const jobs = (await listDeadLetters(db)).map(({ id, queue, tries, problem, date }) => ({
      id,
      queue,
      tries,
      failed: date,
      problem,
    }));
    command.print(jobs, formatTable(jobs, 'No job has failed for good.'));
    return 0;
  });
