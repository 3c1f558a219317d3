import { FEATURE_FLAGS, type FeatureFlags } from '@assay/contract';
import { getWallet } from '../features/billing/index.ts';
import { setFeatureFlag } from '../features/users/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';

const usage = `Usage:
  assay users show --email ADDRESS | --user ID
  assay users flag --email ADDRESS | --user ID  FLAG on|off

Flags: ${FEATURE_FLAGS.join(', ')}`;

/** `assay users`: shows a customer and sets feature flags. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, customerOptions);
    const [verb, ...rest] = positionals;
    if (verb === 'show' && rest.length === 0) return show(values, io);
    if (verb === 'flag') return flag(values, rest, io);
    throw new UsageError('Say what to do: show or flag.');
  });
}

async function show(values: { email?: string; user?: string }, io: CommandIo): Promise<number> {
  return withDatabase(io, async (db) => {
    const user = await findCustomer(db, values);
    const wallet = await getWallet({ db, clock: systemClock }, user.id);
    const { plan, next_renewal_date } = wallet.subscription;
    const flags = FEATURE_FLAGS.map((name) => `${name} ${user.feature_flags[name] ? 'on' : 'off'}`);
    const lines = [
      ['id', user.id],
      ['name', `${user.first_name} ${user.last_name}`.trim()],
      ['email', user.email_address],
      ['phone', user.phone ?? 'none'],
      ['signs in by', user.identities.join(', ')],
      ['since', user.creation_date],
      ['flags', flags.join(', ')],
      ['credits', String(wallet.balance)],
      ['plan', `${plan.code}, renews ${next_renewal_date}`],
    ] as const;
    for (const [name, value] of lines) io.stdout.write(`${name.padEnd(12)} ${value}\n`);
    return 0;
  });
}

async function flag(
  values: { email?: string; user?: string },
  [name, state, ...rest]: string[],
  io: CommandIo,
): Promise<number> {
  if (!isFlag(name)) throw new UsageError(`Name a flag: ${FEATURE_FLAGS.join(' or ')}.`);
  if ((state !== 'on' && state !== 'off') || rest.length > 0) throw new UsageError('Say on or off.');

  return withDatabase(io, async (db) => {
    const user = await findCustomer(db, values);
    await setFeatureFlag(db, user.id, { flag: name, isOn: state === 'on' });
    io.stdout.write(`${name} is ${state} for customer ${user.id}.\n`);
    return 0;
  });
}

const isFlag = (name: string | undefined): name is keyof FeatureFlags =>
  FEATURE_FLAGS.some((flagName) => flagName === name);
