import { randomUUID } from 'node:crypto';
import { GRANT_CREDITS_MAX } from '@assay/contract/operator';
import { grantByOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';

const usage = `Usage:
  assay credits grant --email ADDRESS | --user ID  --credits N --reason TEXT [--key KEY]

The customer reads the reason in their history, and it stays when the account is deleted: no names in it.
A second grant with the same KEY changes nothing, so a script that names one may be run again.`;

const options = {
  ...customerOptions,
  credits: { type: 'string' },
  ...reasonOptions,
  key: { type: 'string' },
} as const;

/** `assay credits`: grants credits. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, options);
    if (positionals.join(' ') !== 'grant') throw new UsageError('Say what to do: grant.');
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
  });
}

function readCredits(text: string | undefined): number {
  const credits = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || credits < 1 || credits > GRANT_CREDITS_MAX) {
    throw new UsageError(`--credits takes a whole number from 1 to ${GRANT_CREDITS_MAX}.`);
  }
  return credits;
}
