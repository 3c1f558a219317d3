import { readDatabaseConfig } from '../platform/config/index.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/logging/index.ts';
import { openQueue } from '../platform/queue/index.ts';
import { defineCommand, refuseWords } from './command.ts';

/** `assay migrate`: our tables, then the queue's. */
export const run = defineCommand('migrate', {}, async (command) => {
  refuseWords(command);
  const { url, directUrl } = readDatabaseConfig(command.env);
  const applied = await migrate(directUrl);
  const queue = await openQueue({
    databaseUrl: url,
    applicationName: 'assay migrate',
    logger: createLogger({ level: 'silent', process: 'migrate' }),
  });
  await queue.close();
  const lines = [...applied.map((name) => `applied ${name}`), 'The database is at this version.'];
  command.print([{ applied }], `${lines.join('\n')}\n`);
  return 0;
});
