import { type CommandName, commandWords } from '../src/commands/usages.ts';
import type { CommandIo } from './command-io.ts';

type Command = (argv: string[], io: CommandIo) => Promise<number>;

/** Loaded on demand: `assay verify` should not wait for the code of the API, nor `--help` for any code. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => {
    const { start } = await import('./embedded/start.ts');
    return (argv, io) => start(argv, io.env);
  },
  api: async () => (await import('../src/commands/api.ts')).run,
  worker: async () => (await import('../src/commands/worker.ts')).run,
  identity: async () => (await import('./embedded/identity.ts')).runIdentity,
  migrate: () =>
    onDatabase(async () => (await import('../src/commands/migrate.ts')).run, { createsData: true }),
  verify: async () => (await import('./embedded/verify.ts')).verify,
  'mail-world': async () => (await import('./embedded/mail-world.ts')).runMailWorld,
  explain: async () => (await import('@assay/verifier/cli/explain')).runExplain,
  mcp: async () => (await import('../src/commands/mcp.ts')).run,
  token: async () => (await import('./embedded/token.ts')).printToken,
  users: () => onDatabase(async () => (await import('../src/commands/users.ts')).run),
  operators: () => onDatabase(async () => (await import('../src/commands/operators.ts')).run),
  credits: () => onDatabase(async () => (await import('../src/commands/credits.ts')).run),
  coupons: () => onDatabase(async () => (await import('../src/commands/coupons.ts')).run),
  lists: () => onDatabase(async () => (await import('../src/commands/lists.ts')).run),
  jobs: () => onDatabase(async () => (await import('../src/commands/jobs.ts')).run),
  incidents: () => onDatabase(async () => (await import('../src/commands/incidents.ts')).run),
  owners: () => onDatabase(async () => (await import('../src/commands/owners.ts')).run),
  questions: () => onDatabase(async () => (await import('../src/commands/questions.ts')).run),
  support: () => onDatabase(async () => (await import('../src/commands/support.ts')).run),
  payments: async () => {
    const { run } = await import('../src/commands/payments.ts');
    // The account can be prepared before there is a database.
    return async (argv, io) => (argv[0] === 'setup' ? run : await onDatabase(async () => run))(argv, io);
  },
  doctor: () => onRunningProduct(async () => (await import('../src/commands/doctor.ts')).run),
  egress: async () => {
    const { run } = await import('../src/commands/egress.ts');
    const open = (argv: string[]) => (argv[0] === 'plan' ? onDatabase : onRunningProduct)(async () => run);
    return async (argv, io) => (await open(argv))(argv, io);
  },
  activity: () => onDatabase(async () => (await import('../src/commands/activity.ts')).run),
  secret: () => onDatabase(async () => (await import('../src/commands/secret.ts')).run),
  backup: () => onDatabase(async () => (await import('../src/commands/backup.ts')).run),
  restore: async () => {
    const { run } = await import('../src/commands/restore.ts');
    // A rehearsal leaves the installation alone, so it may run.
    return async (argv, io) =>
      (await (argv.includes('--rehearse') ? onDatabase : onStoppedProduct)(async () => run))(argv, io);
  },
  recover: () => onStoppedProduct(async () => (await import('../src/commands/recover.ts')).run),
  ledger: () => onDatabase(async () => (await import('../src/commands/ledger.ts')).run),
};

/** Runs one command of `assay` and returns its exit code. Errors are printed as a message, without a stack. */
export async function runCommand(argv: string[], io: CommandIo): Promise<number> {
  const [name = 'help', ...rest] = argv;
  if (name === '--version') return printVersion(rest, io);
  if (!isCommand(name)) {
    const isAskedFor = ['help', '--help', '-h'].includes(name);
    (isAskedFor ? io.stdout : io.stderr).write(
      isAskedFor ? usage() : `assay has no command '${name}'.\n\n${usage()}`,
    );
    return isAskedFor ? 0 : 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.stdout.write(`${commandWords[name].usage}\n`);
    return 0;
  }

  try {
    const run = await commands[name]();
    return await run(rest, io);
  } catch (error) {
    if (isLogged(name, io)) await logFatal(name, error);
    else io.stderr.write(`assay ${name}: ${describeFailure(error)}\n`);
    if (io.env.LOG_LEVEL === 'debug' && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return 1;
  }
}

/** Programs read the output of these, one JSON object per line, unless a person looks at it in a terminal. */
const isLogged = (name: CommandName, { stdout }: CommandIo): boolean =>
  (name === 'api' || name === 'worker' || name === 'identity') && !('isTTY' in stdout && stdout.isTTY);

async function logFatal(process: CommandName, error: unknown): Promise<void> {
  const { createLogger, flushLog } = await import('../src/platform/logging/index.ts');
  const logger = createLogger({ level: 'fatal', process });
  logger.fatal({ err: error }, describeFailure(error));
  await flushLog(logger);
}

/** PostgreSQL's code for a table that does not exist (undefined_table). */
const noSuchTable = '42P01';

function describeFailure(error: unknown): string {
  if ((error as { code?: unknown } | null)?.code === noSuchTable)
    return 'The database lacks tables of this version. Run `assay migrate` first.';
  return error instanceof Error ? error.message : String(error);
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** The command, run on the database of the product in this data folder. */
async function onDatabase(load: () => Promise<Command>, data = { createsData: false }): Promise<Command> {
  const [{ withProductEnvironment }, run] = await Promise.all([
    import('./embedded/product-environment.ts'),
    load(),
  ]);
  return (argv, io) => withProductEnvironment(io.env, data, (env) => run(argv, { ...io, env }));
}

/** The command, run on the database of this data folder, whose product must not run. */
async function onStoppedProduct(load: () => Promise<Command>): Promise<Command> {
  const [{ withStoppedEnvironment }, run] = await Promise.all([
    import('./embedded/product-environment.ts'),
    load(),
  ]);
  return (argv, io) => withStoppedEnvironment(io.env, (env) => run(argv, { ...io, env }));
}

/** The command, run with the environment of the product that runs in this data folder, if one does. */
async function onRunningProduct(load: () => Promise<Command>): Promise<Command> {
  const [{ withRunningEnvironment }, run] = await Promise.all([
    import('./embedded/product-environment.ts'),
    load(),
  ]);
  return (argv, io) => withRunningEnvironment(io.env, (env) => run(argv, { ...io, env }));
}

async function printVersion(argv: readonly string[], io: CommandIo): Promise<number> {
  const { readVersion } = await import('../src/platform/version.ts');
  const known = await readVersion(io.env.ASSAY_COMMIT ?? null);
  const { node } = process.versions;
  io.stdout.write(
    argv.includes('--json')
      ? `${JSON.stringify({ ...known, node })}\n`
      : `assay ${known.version} (${known.commit}), Node ${node}\n`,
  );
  return 0;
}

function usage(): string {
  const entries = Object.entries(commandWords);
  const width = Math.max(...entries.map(([name]) => name.length));
  const lines = entries.map(([name, { summary }]) => `  assay ${name.padEnd(width)}  ${summary}`);
  return `Usage:\n${lines.join('\n')}\n\nEach command explains itself with --help.\n`;
}
