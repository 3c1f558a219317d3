import { API_BASE } from '@assay/contract';
import { findStrayCustomers } from '../features/billing/index.ts';
import { setUpPayments, webhookEvents, webhookPath } from '../features/billing/set-up.ts';
import { deleteStrayByOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readStripeConfig, readStripeSetupConfig } from '../platform/config/index.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { formatTable } from './table.ts';

/** `assay payments`: prepares the Stripe account, and finds customers in it that a restore has lost. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'payments', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, {
      ...reasonOptions,
      since: { type: 'string' },
    });
    const [verb, id, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one customer at a time.');
    if (verb === 'setup' && id === undefined) return setUp(command);
    if (verb === 'strays' && id === undefined) return showStrays(command, readMoment(values.since));
    if (verb !== 'delete-stray') throw new UsageError('Say what to do: setup, strays or delete-stray.');
    if (id === undefined || !/^cus_\w{1,100}$/.test(id))
      throw new UsageError('Name the id of a customer at Stripe, as strays shows it.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, async (db) => {
      const parts = { db, clock: systemClock };
      if (!(await deleteStrayByOperator(parts, by, readStripeConfig(io.env), id)))
        throw new CommandRefused('No stray customer has this id. `assay payments strays` shows them.');
      command.print([{ customer: id, state: 'deleted' }], `Customer ${id} is deleted at Stripe.\n`);
      return 0;
    });
  });
}

async function setUp(command: CommandRun): Promise<number> {
  const setup = readStripeSetupConfig(command.env);
  await setUpPayments(setup, (line) => command.print([], `${line}\n`));
  const webhook = `${setup.publicUrl}${API_BASE}${webhookPath}`;
  command.print(
    [{ webhook, events: webhookEvents }],
    `Everything is in place. The account also needs a webhook to ${webhook} for\n` +
      `${webhookEvents.map((event) => `  ${event}`).join('\n')}\nGive its signing secret as STRIPE_WEBHOOK_SECRET.\n`,
  );
  return 0;
}

const showStrays = (command: CommandRun, since: Date): Promise<number> =>
  withDatabase(command, async (db) => {
    const found = await Array.fromAsync(findStrayCustomers(db, readStripeConfig(command.env), since));
    const strays = found.map(({ id, createdAt, accountId, isPaying }) => ({
      customer: id,
      created: createdAt ?? null,
      account: accountId ?? null,
      pays: isPaying,
    }));
    command.print(
      strays,
      formatTable(strays, 'This installation knows every customer at Stripe since then.'),
    );
    return 0;
  });

function readMoment(text: string | undefined): Date {
  const moment = new Date(text ?? '');
  if (Number.isNaN(moment.getTime()))
    throw new UsageError('--since takes a moment, such as 2027-01-31T12:00:00Z.');
  return moment;
}
