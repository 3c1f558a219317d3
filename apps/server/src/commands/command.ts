import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { readDatabaseConfig } from '../platform/config/index.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { AppError } from '../platform/errors/index.ts';
import { createLogger } from '../platform/logging/index.ts';
import { type JobQueue, openQueue } from '../platform/queue/index.ts';

/** Environment and streams of a command. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Wrong arguments: the command prints its usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command cannot be done: prints one line, without a stack. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** Like util.parseArgs, but throws a UsageError. */
export function readArguments<const Options extends ParseArgsConfig['options']>(
  argv: string[],
  options: Options,
) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs a command and returns its exit code: 0 done, 1 refused, 2 wrong arguments. */
export async function runCommand(
  { argv, io, usage }: { argv: string[]; io: CommandIo; usage: string },
  work: () => Promise<number>,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    io.stdout.write(`${usage}\n`);
    return 0;
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`${error.message}\n\n${usage}\n`);
      return 2;
    }
    if (error instanceof CommandRefused || error instanceof AppError) {
      io.stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

export async function withDatabase<Result>(
  { env }: CommandIo,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({
    url: readDatabaseConfig(env).url,
    poolSize: 2,
    applicationName: 'assay command',
    onIdleError: () => undefined,
  });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/** For commands that enqueue work. */
export async function withQueue<Result>(
  { env, stderr }: CommandIo,
  work: (queue: JobQueue) => Promise<Result>,
): Promise<Result> {
  const queue = await openQueue({
    databaseUrl: readDatabaseConfig(env).url,
    applicationName: 'assay command queue',
    logger: createLogger({ level: 'warn', process: 'command', destination: stderr }),
  });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
