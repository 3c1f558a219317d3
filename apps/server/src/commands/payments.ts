import { API_BASE } from '@assay/contract';
import { findStrayCustomers, setUpPayments, webhookEvents, webhookPath } from '../features/billing/index.ts';
import { deleteStrayByOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readStripeConfig, readStripeSetupConfig } from '../platform/config/index.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay payments setup
  assay payments strays --since DATE
  assay payments delete-stray CUSTOMER --reason TEXT

setup makes a product and a price for each plan and the customer portal's configuration in the Stripe account of
STRIPE_SECRET_KEY, or brings them up to date. May be repeated, and must be after the price list has changed.

strays shows customers at Stripe that this installation does not know and that were made since DATE, such as
2027-01-31T12:00:00Z: after a restore, those that were made after the backup. Refund them at Stripe if they paid. Other
installations that share the Stripe account have theirs shown too.
delete-stray deletes one of them at Stripe, which ends its subscriptions.`;

/** `assay payments`: prepares the Stripe account, and finds customers in it that a restore has lost. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, { ...reasonOptions, since: { type: 'string' } });
    const [verb, id, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name one customer at a time.');
    if (verb === 'setup' && id === undefined) return setUp(io);
    if (verb === 'strays' && id === undefined) return showStrays(io, readMoment(values.since));
    if (verb !== 'delete-stray') throw new UsageError('Say what to do: setup, strays or delete-stray.');
    if (id === undefined || !/^cus_\w{1,100}$/.test(id))
      throw new UsageError('Name the id of a customer at Stripe, as strays shows it.');

    const by = readActorAndReason(values, io);
    return withDatabase(io, async (db) => {
      const parts = { db, clock: systemClock };
      if (!(await deleteStrayByOperator(parts, by, readStripeConfig(io.env), id)))
        throw new CommandRefused('No stray customer has this id. `assay payments strays` shows them.');
      io.stdout.write(`Customer ${id} is deleted at Stripe.\n`);
      return 0;
    });
  });
}

async function setUp(io: CommandIo): Promise<number> {
  const setup = readStripeSetupConfig(io.env);
  await setUpPayments(setup, (line) => io.stdout.write(`${line}\n`));
  io.stdout.write(
    `Everything is in place. The account also needs a webhook to ${setup.publicUrl}${API_BASE}${webhookPath} for\n` +
      `${webhookEvents.map((event) => `  ${event}`).join('\n')}\nGive its signing secret as STRIPE_WEBHOOK_SECRET.\n`,
  );
  return 0;
}

const showStrays = (io: CommandIo, since: Date): Promise<number> =>
  withDatabase(io, async (db) => {
    const strays = await Array.fromAsync(findStrayCustomers(db, readStripeConfig(io.env), since));
    const rows = strays.map(({ id, createdAt, accountId, isPaying }) => [
      ...[id, createdAt?.toISOString() ?? ''],
      ...[accountId ?? 'none', isPaying ? 'yes' : 'no'],
    ]);
    io.stdout.write(
      rows.length === 0
        ? 'This installation knows every customer at Stripe since then.\n'
        : formatTable([['customer', 'created', 'account', 'pays'], ...rows]),
    );
    return 0;
  });

function readMoment(text: string | undefined): Date {
  const moment = new Date(text ?? '');
  if (Number.isNaN(moment.getTime()))
    throw new UsageError('--since takes a moment, such as 2027-01-31T12:00:00Z.');
  return moment;
}
