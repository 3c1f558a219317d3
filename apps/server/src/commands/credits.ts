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
import {
  type CommandIo,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable } from './table.ts';

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
  return runCommand({ name: 'credits', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, options);
    const verb = positionals.join(' ');
    if (verb === 'grant') return grant(values, command);
    if (verb === 'take-back') return takeBack(values, command);
    if (verb === 'withheld') return showWithheld(command);
    if (verb === 'release') return release(values, command);
    throw new UsageError('Say what to do: grant, take-back, withheld or release.');
  });
}

const showWithheld = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const found = await findWithheldCredits(db);
    const withheld = found.map(({ id, email_address, creation_date, withheld_because }) => ({
      customer: id,
      address: email_address,
      since: creation_date.slice(0, 10),
      why: FREE_CREDITS_WITHHELD_REASONS[withheld_because],
    }));
    command.print(withheld, formatTable(withheld, 'No free credits are withheld.'));
    return 0;
  });

async function release(values: Values, command: CommandRun): Promise<number> {
  const by = readActorAndReason(values, command);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, values);
    const order = { customerId: id, provesDomain: values.domain === true };
    const { granted, balance } = await releaseByOperator({ db, clock: systemClock }, by, order);
    command.print(
      [{ customer: id, granted, balance }],
      `Granted ${granted} free credits to customer ${id}, who now has ${balance}.\n`,
    );
    return 0;
  });
}

async function grant(values: Values, command: CommandRun): Promise<number> {
  const credits = readNumber('credits', values.credits, GRANT_CREDITS_MAX);
  const by = readActorAndReason(values, command);

  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, values);
    const { granted, balance } = await grantByOperator({ db, clock: systemClock }, by, {
      customerId: id,
      credits,
      key: values.key ?? randomUUID(),
    });
    const told =
      granted > 0 ? `Granted ${granted} credits to` : 'That key was used before: nothing changed for';
    command.print([{ customer: id, granted, balance }], `${told} customer ${id}, who now has ${balance}.\n`);
    return 0;
  });
}

async function takeBack(values: Values, command: CommandRun): Promise<number> {
  const entryNumber = readNumber('entry', values.entry, ENTRY_NUMBER_MAX);
  const by = readActorAndReason(values, command);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, values);
    const order = { customerId: id, entryNumber };
    const { taken, claimed, balance } = await takeGrantBackByOperator({ db, clock: systemClock }, by, order);
    const later = claimed > 0 ? `, and ${claimed} on hold follow when their work gives them back` : '';
    command.print(
      [{ customer: id, taken, on_hold: claimed, balance }],
      `Took ${taken} credits back from customer ${id}, who now has ${balance}${later}.\n`,
    );
    return 0;
  });
}

function readNumber(option: string, text: string | undefined, max: number): number {
  const number = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || number < 1 || number > max)
    throw new UsageError(`--${option} takes a whole number from 1 to ${max}.`);
  return number;
}
