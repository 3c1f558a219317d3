import { randomUUID } from 'node:crypto';
import { ENTRY_NUMBER_MAX, FREE_CREDITS_WITHHELD_REASONS, GRANT_CREDITS_MAX } from '@assay/contract/operator';
import {
  findWithheldCredits,
  grantByOperator,
  releaseByOperator,
  takeGrantBackByOperator,
} from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay credits grant --email ADDRESS | --user ID  --credits N --reason TEXT [--key KEY]
  assay credits take-back --email ADDRESS | --user ID  --entry NUMBER --reason TEXT
  assay credits withheld
  assay credits release --email ADDRESS | --user ID  --reason TEXT [--domain]

The customer reads the reason in their history, and it stays when the account is deleted: no names in it.
A second grant with the same KEY changes nothing, so a script that names one may be run again.
take-back takes back what is left of a grant; the console shows the number of its entry. What is on hold follows when its work ends.
withheld shows new customers without free credits, because their mail domain is disposable or has used up its day. release grants
them; with --domain, the daily limit of their mail domain ends.`;

const options = {
  ...customerOptions,
  credits: { type: 'string' },
  ...reasonOptions,
  key: { type: 'string' },
  domain: { type: 'boolean' },
  entry: { type: 'string' },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

/** `assay credits`: grants credits and takes them back, and shows and grants those that were withheld. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, options);
    const verb = positionals.join(' ');
    if (verb === 'grant') return grant(values, io);
    if (verb === 'take-back') return takeBack(values, io);
    if (verb === 'withheld') return showWithheld(io);
    if (verb === 'release') return release(values, io);
    throw new UsageError('Say what to do: grant, take-back, withheld or release.');
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
  const credits = readNumber('credits', values.credits, GRANT_CREDITS_MAX);
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

async function takeBack(values: Values, io: CommandIo): Promise<number> {
  const entryNumber = readNumber('entry', values.entry, ENTRY_NUMBER_MAX);
  const by = readActorAndReason(values, io);
  return withDatabase(io, async (db) => {
    const { id } = await findCustomer(db, values);
    const order = { customerId: id, entryNumber };
    const { taken, claimed, balance } = await takeGrantBackByOperator({ db, clock: systemClock }, by, order);
    const later = claimed > 0 ? `, and ${claimed} on hold follow when their work gives them back` : '';
    io.stdout.write(`Took ${taken} credits back from customer ${id}, who now has ${balance}${later}.\n`);
    return 0;
  });
}

function readNumber(option: string, text: string | undefined, max: number): number {
  const number = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || number < 1 || number > max)
    throw new UsageError(`--${option} takes a whole number from 1 to ${max}.`);
  return number;
}
