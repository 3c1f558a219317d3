import { randomUUID } from 'node:crypto';
import { getWallet, grantCredits, refreshBilling } from '../features/billing/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';

const usage = `Usage:
  assay credits grant --email ADDRESS | --user ID  --credits N --reason TEXT [--key KEY]

The customer reads the reason in their history, and it stays when the account is deleted: no names in it.
A second grant with the same KEY changes nothing, so a script that names one may be run again.`;

const options = {
  ...customerOptions,
  credits: { type: 'string' },
  reason: { type: 'string' },
  key: { type: 'string' },
} as const;

/** More than any plan has in a month, so probably a typing mistake. */
const creditsMax = 100_000_000;
const reasonCharactersMax = 200;

/** `assay credits`: grants credits. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, options);
    if (positionals.join(' ') !== 'grant') throw new UsageError('Say what to do: grant.');
    const credits = readCredits(values.credits);
    const reason = readReason(values.reason);

    return withDatabase(io, async (db) => {
      const user = await findCustomer(db, values);
      const { grantedCredits } = await db.transaction().execute(async (tx) => {
        const granted = await grantCredits(tx, {
          ownerId: user.id,
          key: `operator:${values.key ?? randomUUID()}`,
          credits,
          category: 'GRANT',
          source: 'SUPPORT',
          description: reason,
          now: systemClock.now(),
        });
        await refreshBilling(tx, user.id);
        return granted;
      });
      const { balance } = await getWallet({ db, clock: systemClock }, user.id);
      const told =
        grantedCredits > 0
          ? `Granted ${grantedCredits} credits to`
          : 'That key was used before: nothing changed for';
      io.stdout.write(`${told} customer ${user.id}, who now has ${balance}.\n`);
      return 0;
    });
  });
}

function readCredits(text: string | undefined): number {
  const credits = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || credits < 1 || credits > creditsMax) {
    throw new UsageError(`--credits takes a whole number from 1 to ${creditsMax}.`);
  }
  return credits;
}

function readReason(text: string | undefined): string {
  const reason = text?.trim() ?? '';
  if (reason.length === 0 || reason.length > reasonCharactersMax) {
    throw new UsageError(`--reason takes a text of up to ${reasonCharactersMax} characters.`);
  }
  return reason;
}
