import { listDeadLetters, settleDeadLetter } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase, withQueue } from './command.ts';
import { uuid } from './find-customer.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay jobs list
  assay jobs retry ID --reason TEXT
  assay jobs discard ID --reason TEXT

list shows jobs that failed for good, the oldest first. retry sends one back to its queue; discard removes it.`;

/** `assay jobs`: jobs that failed for good. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, reasonOptions);
    const [verb, id, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one job at a time.');
    if (verb === 'list') return list(io);
    if (verb !== 'retry' && verb !== 'discard')
      throw new UsageError('Say what to do: list, retry or discard.');
    if (id === undefined || !uuid.test(id)) throw new UsageError('Name the id of a job, as list shows it.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, (db) =>
      withQueue(io, async (queue) => {
        await settleDeadLetter({ db, queue, clock: systemClock }, by, id, verb);
        io.stdout.write(`Job ${id} is ${verb === 'retry' ? 'back in its queue' : 'removed'}.\n`);
        return 0;
      }),
    );
  });
}

const list = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const rows = (await listDeadLetters(db)).map(({ id, queue, tries, problem, date }) => [
      id,
      queue,
      String(tries),
      date,
      problem,
    ]);
    io.stdout.write(
      rows.length === 0
        ? 'No job has failed for good.\n'
        : formatTable([['id', 'queue', 'tries', 'failed', 'problem'], ...rows]),
    );
    return 0;
  });
