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
export interface CommandRun<Values = object> extends CommandIo {
  readonly values: Values;
  /** What is no option; behind the verb where the command has verbs. */
  readonly words: readonly string[];
  /** Prints the text for people; with --json, which belongs to all commands, each record as one line of JSON instead. */
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

type Options = NonNullable<ParseArgsConfig['options']>;
/** The options of a command as they were given. */
export type ValuesOf<Given extends Options> = ReturnType<typeof readArguments<Given>>['values'];
type Work<Given extends Options> = (run: CommandRun<ValuesOf<Given>>) => Promise<number>;
/** Returns its exit code: 0 done, 1 refused, 2 wrong arguments. */
type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;

/** A command whose first word says what to do. */
export function defineVerbs<const Given extends Options>(
  name: CommandName,
  options: Given,
  verbs: Readonly<Record<string, Work<Given>>>,
): Command {
  return defineCommand(name, options, async (run) => {
    const [verb = '', ...words] = run.words;
    const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!work) throw new UsageError(`Say what to do: ${anyOf.format(Object.keys(verbs))}.`);
    return work({ ...run, words });
  });
}

/** For a command, or a verb, that takes options only. */
export function refuseWords({ words: [word] }: CommandRun): void {
  if (word !== undefined) throw new UsageError(`'${word}' is not expected here.`);
}

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function defineCommand<const Given extends Options>(
  name: CommandName,
  options: Given,
  work: Work<Given>,
): Command {
  return async (argv, { env, stdout, stderr }) => {
    const isJson = argv.includes('--json');
    try {
      const { values, positionals } = readArguments(
        argv.filter((word) => word !== '--json'),
        options,
      );
      return await work({
        env,
        stdout,
        stderr,
        values,
        words: positionals,
        print: (records, text) =>
          stdout.write(isJson ? records.map((record) => `${jsonLineOf(record)}\n`).join('') : text),
      });
    } catch (error) {
      if (error instanceof UsageError) {
        stderr.write(`${error.message}\n\n${commandWords[name].usage}\n`);
        return 2;
      }
      if (error instanceof CommandRefused || error instanceof AppError) {
        stderr.write(`${error.message}\n`);
        return 1;
      }
      throw error;
    }
  };
}

/** Like util.parseArgs, but throws a UsageError. */
function readArguments<const Given extends Options>(args: string[], options: Given) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
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
