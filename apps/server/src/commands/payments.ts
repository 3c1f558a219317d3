import { API_BASE } from '@assay/contract';
import { findStrayCustomers } from '../features/billing/index.ts';
import { setUpPayments, webhookEvents, webhookPath } from '../features/billing/set-up.ts';
import { deleteStrayByOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readStripeConfig, readStripeSetupConfig } from '../platform/config/index.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  CommandRefused,
  type CommandRun,
  defineVerbs,
  refuseWords,
  UsageError,
  type ValuesOf,
  withDatabase,
} from './command.ts';
import { printTable } from './table.ts';

const options = { ...reasonOptions, since: { type: 'string' } } as const;
type Run = CommandRun<ValuesOf<typeof options>>;

/** `assay payments`: prepares the Stripe account, and finds customers in it that a restore has lost. */
export const run = defineVerbs('payments', options, {
  setup: setUp,
  strays: showStrays,
  'delete-stray': deleteStray,
});

async function setUp(command: Run): Promise<number> {
  refuseWords(command);
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

async function showStrays(command: Run): Promise<number> {
  const since = readMoment(command.values.since);
  return printTable(command, 'This installation knows every customer at Stripe since then.', async (db) => {
    const found = await Array.fromAsync(findStrayCustomers(db, readStripeConfig(command.env), since));
    return found.map(({ id, createdAt, accountId, isPaying }) => ({
      customer: id,
      created: createdAt ?? null,
      account: accountId ?? null,
      pays: isPaying,
    }));
  });
}

async function deleteStray(command: Run): Promise<number> {
  const [id = '', ...others] = command.words;
  if (others.length > 0 || !/^cus_\w{1,100}$/.test(id))
    throw new UsageError('Name the id of a customer at Stripe, as strays shows it.');
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    if (!(await deleteStrayByOperator({ db, clock: systemClock }, by, readStripeConfig(command.env), id)))
      throw new CommandRefused('No stray customer has this id. `assay payments strays` shows them.');
    command.print([{ customer: id, state: 'deleted' }], `Customer ${id} is deleted at Stripe.\n`);
    return 0;
  });
}

function readMoment(text: string | undefined): Date {
  const moment = new Date(text ?? '');
  if (Number.isNaN(moment.getTime()))
    throw new UsageError('--since takes a moment, such as 2027-01-31T12:00:00Z.');
  return moment;
}
