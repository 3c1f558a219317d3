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
import { type CommandRun, defineVerbs, refuseWords, type ValuesOf, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { readNumber } from './read-options.ts';
import { printTable } from './table.ts';

const options = {
  ...customerOptions,
  credits: { type: 'string' },
  ...reasonOptions,
  key: { type: 'string' },
  domain: { type: 'boolean' },
  entry: { type: 'string' },
} as const;

type Run = CommandRun<ValuesOf<typeof options>>;

/** `assay credits`: grants credits and takes them back, and shows and grants those that were withheld. */
export const run = defineVerbs('credits', options, {
  grant,
  'take-back': takeBack,
  withheld: (command) =>
    printTable(command, 'No free credits are withheld.', async (db) =>
      (await findWithheldCredits(db)).map(({ id, email_address, creation_date, withheld_because }) => ({
        customer: id,
        address: email_address,
        since: creation_date.slice(0, 10),
        why: FREE_CREDITS_WITHHELD_REASONS[withheld_because],
      })),
    ),
  release,
});

async function release(command: Run): Promise<number> {
  refuseWords(command);
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, command.values);
    const order = { customerId: id, provesDomain: command.values.domain === true };
    const { granted, balance } = await releaseByOperator({ db, clock: systemClock }, by, order);
    command.print(
      [{ customer: id, granted, balance }],
      `Granted ${granted} free credits to customer ${id}, who now has ${balance}.\n`,
    );
    return 0;
  });
}

async function grant(command: Run): Promise<number> {
  refuseWords(command);
  const credits = readNumber('credits', command.values.credits, GRANT_CREDITS_MAX);
  const by = readActorAndReason(command.values, command);

  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, command.values);
    const { granted, balance } = await grantByOperator({ db, clock: systemClock }, by, {
      customerId: id,
      credits,
      key: command.values.key ?? randomUUID(),
    });
    const words =
      granted > 0 ? `Granted ${granted} credits to` : 'That key was used before: nothing changed for';
    command.print([{ customer: id, granted, balance }], `${words} customer ${id}, who now has ${balance}.\n`);
    return 0;
  });
}

async function takeBack(command: Run): Promise<number> {
  refuseWords(command);
  const entryNumber = readNumber('entry', command.values.entry, ENTRY_NUMBER_MAX);
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, command.values);
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
