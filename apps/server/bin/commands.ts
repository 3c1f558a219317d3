import type { CommandIo } from './command-io.ts';

type Command = (argv: string[], io: CommandIo) => Promise<number>;

interface CommandEntry {
  readonly summary: string;
  /** Loaded on demand: `assay verify` should not wait for the code of the API. */
  readonly load: () => Promise<Command>;
}

const commands: Record<string, CommandEntry> = {
  start: {
    summary:
      'the whole product on this machine, with stand-ins for the outside parts that are not configured',
    load: async () => {
      const { start } = await import('./embedded/start.ts');
      return (argv, io) => start(argv, io.env);
    },
  },
  api: {
    summary: 'serve the API and the web app',
    load: async () => (await import('../src/commands/api.ts')).run,
  },
  worker: {
    summary: 'do the background work',
    load: async () => (await import('../src/commands/worker.ts')).run,
  },
  identity: {
    summary: 'run the embedded identity provider as a process',
    load: async () => (await import('./embedded/identity.ts')).runIdentity,
  },
  migrate: {
    summary: 'bring the database to this version',
    load: () =>
      onDatabase(async () => (await import('../src/commands/migrate.ts')).run, { createsData: true }),
  },
  verify: {
    summary: 'verify addresses in the terminal',
    load: async () => (await import('./embedded/verify.ts')).verify,
  },
  'mail-world': {
    summary: 'run the mail world that answers for the sandbox of the API',
    load: async () => (await import('./embedded/mail-world.ts')).runMailWorld,
  },
  explain: {
    summary: 'what a reply of a mail host to RCPT means',
    load: async () => (await import('@assay/verifier/cli')).runExplain,
  },
  token: {
    summary: 'print a bearer token for trying the API (embedded identity only)',
    load: async () => (await import('./embedded/token.ts')).printToken,
  },
  users: {
    summary: 'show a customer, find abuse, switch feature flags, throttle, hold or suspend an account',
    load: () => onDatabase(async () => (await import('../src/commands/users.ts')).run),
  },
  operators: {
    summary: 'who may use the operator console',
    load: () => onDatabase(async () => (await import('../src/commands/operators.ts')).run),
  },
  credits: {
    summary: 'grant credits to a customer, and take a grant back',
    load: () => onDatabase(async () => (await import('../src/commands/credits.ts')).run),
  },
  coupons: {
    summary: 'create, list and disable coupon codes',
    load: () => onDatabase(async () => (await import('../src/commands/coupons.ts')).run),
  },
  lists: {
    summary: 'running lists that do not get on: why, restart, finish',
    load: () => onDatabase(async () => (await import('../src/commands/lists.ts')).run),
  },
  jobs: {
    summary: 'jobs that failed for good: list, retry, discard',
    load: () => onDatabase(async () => (await import('../src/commands/jobs.ts')).run),
  },
  incidents: {
    summary: 'what the status page says about times when a part did not work: list, open, note, close',
    load: () => onDatabase(async () => (await import('../src/commands/incidents.ts')).run),
  },
  support: {
    summary: 'list what customers asked for, such as to be called',
    load: () => onDatabase(async () => (await import('../src/commands/support.ts')).run),
  },
  payments: {
    summary: 'prepare the Stripe account for the price list, find customers there that a restore has lost',
    load: async () => {
      const { run } = await import('../src/commands/payments.ts');
      // The account can be prepared before there is a database.
      return async (argv, io) => (argv[0] === 'setup' ? run : await onDatabase(async () => run))(argv, io);
    },
  },
  doctor: {
    summary: 'check an installation and explain how to mend it',
    load: () => onRunningProduct(async () => (await import('../src/commands/doctor.ts')).run),
  },
  egress: {
    summary: 'check the network address that verifications come from',
    load: () => onRunningProduct(async () => (await import('../src/commands/egress.ts')).run),
  },
  activity: {
    summary: 'verify that no entry of an activity log was changed',
    load: () => onDatabase(async () => (await import('../src/commands/activity.ts')).run),
  },
  secret: {
    summary: 'encrypt again after ASSAY_SECRET has changed',
    load: () => onDatabase(async () => (await import('../src/commands/secret.ts')).run),
  },
  backup: {
    summary: 'write an encrypted backup of the whole installation',
    load: () => onDatabase(async () => (await import('../src/commands/backup.ts')).run),
  },
  restore: {
    summary: 'load a backup into an empty installation',
    load: async () => {
      const { run } = await import('../src/commands/restore.ts');
      // A rehearsal leaves the installation alone, so it may run.
      return async (argv, io) =>
        (await (argv.includes('--rehearse') ? onDatabase : onStoppedProduct)(async () => run))(argv, io);
    },
  },
  recover: {
    summary: 'repeat later deletions after other tools restored the database',
    load: () => onStoppedProduct(async () => (await import('../src/commands/recover.ts')).run),
  },
  ledger: {
    summary: 'audit every balance, hold and settlement',
    load: () => onDatabase(async () => (await import('../src/commands/ledger.ts')).run),
  },
};

/** Runs one command of `assay` and returns its exit code. Errors are printed as a message, without a stack. */
export async function runCommand(argv: string[], io: CommandIo): Promise<number> {
  const [name = 'help', ...rest] = argv;
  if (name === '--version') return printVersion(io);
  const command = commands[name];
  if (!command) {
    const isAskedFor = ['help', '--help', '-h'].includes(name);
    (isAskedFor ? io.stdout : io.stderr).write(
      isAskedFor ? usage() : `assay has no command '${name}'.\n\n${usage()}`,
    );
    return isAskedFor ? 0 : 2;
  }

  try {
    const run = await command.load();
    return await run(rest, io);
  } catch (error) {
    io.stderr.write(`assay ${name}: ${describeFailure(error)}\n`);
    if (io.env.LOG_LEVEL === 'debug' && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return 1;
  }
}

/** PostgreSQL's code for a table that does not exist (undefined_table). */
const noSuchTable = '42P01';

function describeFailure(error: unknown): string {
  if ((error as { code?: unknown } | null)?.code === noSuchTable)
    return 'The database lacks tables of this version. Run `assay migrate` first.';
  return error instanceof Error ? error.message : String(error);
}

/** Help needs no database. */
const asksForHelp = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h');

/** The command, run on the database of the product in this data folder. */
async function onDatabase(load: () => Promise<Command>, data = { createsData: false }): Promise<Command> {
  const [{ withProductEnvironment }, run] = await Promise.all([
    import('./embedded/product-environment.ts'),
    load(),
  ]);
  return (argv, io) =>
    asksForHelp(argv)
      ? run(argv, io)
      : withProductEnvironment(io.env, data, (env) => run(argv, { ...io, env }));
}

/** The command, run on the database of this data folder, whose product must not run. */
async function onStoppedProduct(load: () => Promise<Command>): Promise<Command> {
  const [{ withStoppedEnvironment }, run] = await Promise.all([
    import('./embedded/product-environment.ts'),
    load(),
  ]);
  return (argv, io) =>
    asksForHelp(argv) ? run(argv, io) : withStoppedEnvironment(io.env, (env) => run(argv, { ...io, env }));
}

/** The command, run with the environment of the product that runs in this data folder, if one does. */
async function onRunningProduct(load: () => Promise<Command>): Promise<Command> {
  const [{ withRunningEnvironment }, run] = await Promise.all([
    import('./embedded/product-environment.ts'),
    load(),
  ]);
  return (argv, io) => withRunningEnvironment(io.env, (env) => run(argv, { ...io, env }));
}

async function printVersion(io: CommandIo): Promise<number> {
  const { readVersion } = await import('../src/platform/version.ts');
  const { version, commit } = await readVersion(io.env.ASSAY_COMMIT ?? null);
  io.stdout.write(`assay ${version} (${commit}), Node ${process.versions.node}\n`);
  return 0;
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  assay ${name.padEnd(width)}  ${summary}`,
  );
  return `Usage:\n${lines.join('\n')}\n\nEach command explains itself with --help.\n`;
}
