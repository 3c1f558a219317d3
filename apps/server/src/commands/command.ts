import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { readDatabaseConfig } from '../platform/config/index.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { AppError } from '../platform/errors/index.ts';
import { createLogger } from '../platform/logging/index.ts';
import { type JobQueue, openQueue } from '../platform/queue/index.ts';
import { type CommandName, commandWords } from './usages.ts';

/** Environment and streams of a command. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** A command under way. */
export interface CommandRun extends CommandIo {
  /** Without --json, which belongs to all commands. */
  readonly argv: string[];
  /** Prints the text for people; with --json, each record as one line of JSON instead. */
  readonly print: (records: readonly object[], text: string) => void;
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
  { name, argv, io }: { name: CommandName; argv: readonly string[]; io: CommandIo },
  work: (run: CommandRun) => Promise<number>,
): Promise<number> {
  const isJson = argv.includes('--json');
  try {
    return await work({
      env: io.env,
      stdout: io.stdout,
      stderr: io.stderr,
      argv: argv.filter((word) => word !== '--json'),
      print: (records, text) =>
        io.stdout.write(isJson ? records.map((record) => `${jsonLineOf(record)}\n`).join('') : text),
    });
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`${error.message}\n\n${commandWords[name].usage}\n`);
      return 2;
    }
    if (error instanceof CommandRefused || error instanceof AppError) {
      io.stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

/** Fields are named as those of the API. JSON allows some control characters, but terminals obey them, and strangers wrote some of these texts. */
const jsonLineOf = (record: object): string =>
  JSON.stringify(record, (_, value) => (isPlainObject(value) ? withSnakeCase(value) : value)).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) =>
      character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withSnakeCase = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

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
