import { readDatabaseConfig } from '../platform/config/index.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/logging/index.ts';
import { openQueue } from '../platform/queue/index.ts';
import { type CommandIo, readArguments, runCommand, UsageError } from './command.ts';

const usage = `Usage:
  assay migrate

Brings the database to this version. Processes do it themselves when they start; this is for a role that may change
tables where theirs may not, or for doing it beforehand.`;

/** `assay migrate`: our tables, then the queue's. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    if (readArguments(argv, {}).positionals.length > 0) throw new UsageError('It takes no arguments.');

    const { url, directUrl } = readDatabaseConfig(io.env);
    const applied = await migrate(directUrl);
    const queue = await openQueue({
      databaseUrl: url,
      applicationName: 'assay migrate',
      logger: createLogger({ level: 'silent', process: 'migrate' }),
    });
    await queue.close();
    for (const name of applied) io.stdout.write(`applied ${name}\n`);
    io.stdout.write('The database is at this version.\n');
    return 0;
  });
}
