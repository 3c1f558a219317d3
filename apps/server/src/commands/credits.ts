import { randomUUID } from 'node:crypto';
import { FREE_CREDITS_WITHHELD_REASONS, GRANT_CREDITS_MAX } from '@assay/contract/operator';
import { findWithheldCredits, grantByOperator, releaseByOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay credits grant --email ADDRESS | --user ID  --credits N --reason TEXT [--key KEY]
  assay credits withheld
  assay credits release --email ADDRESS | --user ID  --reason TEXT [--domain]

The customer reads the reason in their history, and it stays when the account is deleted: no names in it.
A second grant with the same KEY changes nothing, so a script that names one may be run again.
withheld shows new customers without free credits, because their mail domain is disposable or has used up its day. release grants
them; with --domain, the daily limit of their mail domain ends.`;

const options = {
  ...customerOptions,
  credits: { type: 'string' },
  ...reasonOptions,
  key: { type: 'string' },
  domain: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

/** `assay credits`: grants credits, and shows and grants those that were withheld. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, options);
    const verb = positionals.join(' ');
    if (verb === 'grant') return grant(values, io);
    if (verb === 'withheld') return showWithheld(io);
    if (verb === 'release') return release(values, io);
    throw new UsageError('Say what to do: grant, withheld or release.');
  });
}

const showWithheld = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const withheld = await findWithheldCredits(db);
    const rows = withheld.map(({ id, email_address, creation_date, withheld_because }) => [
      id,
      email_address,
      creation_date.slice(0, 10),
      FREE_CREDITS_WITHHELD_REASONS[withheld_because],
    ]);
    io.stdout.write(
      rows.length === 0
        ? 'No free credits are withheld.\n'
        : formatTable([['customer', 'address', 'since', 'why'], ...rows]),
    );
    return 0;
  });

async function release(values: Values, io: CommandIo): Promise<number> {
  const by = readActorAndReason(values, io);
  return withDatabase(io, async (db) => {
    const { id } = await findCustomer(db, values);
    const order = { customerId: id, provesDomain: values.domain === true };
    const { granted, balance } = await releaseByOperator({ db, clock: systemClock }, by, order);
    io.stdout.write(`Granted ${granted} free credits to customer ${id}, who now has ${balance}.\n`);
    return 0;
  });
}

async function grant(values: Values, io: CommandIo): Promise<number> {
  const credits = readCredits(values.credits);
  const by = readActorAndReason(values, io);

  return withDatabase(io, async (db) => {
    const { id } = await findCustomer(db, values);
    const { granted, balance } = await grantByOperator({ db, clock: systemClock }, by, {
      customerId: id,
      credits,
      key: values.key ?? randomUUID(),
    });
    const told =
      granted > 0 ? `Granted ${granted} credits to` : 'That key was used before: nothing changed for';
    io.stdout.write(`${told} customer ${id}, who now has ${balance}.\n`);
    return 0;
  });
}

function readCredits(text: string | undefined): number {
  const credits = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || credits < 1 || credits > GRANT_CREDITS_MAX) {
    throw new UsageError(`--credits takes a whole number from 1 to ${GRANT_CREDITS_MAX}.`);
  }
  return credits;
}
