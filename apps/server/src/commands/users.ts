import { FEATURE_FLAGS, type FeatureFlags } from '@assay/contract';
import { STANDINGS } from '@assay/contract/operator';
import { getWallet } from '../features/billing/index.ts';
import {
  findSuspects,
  removeSecondFactors,
  setFlagByOperator,
  setStanding,
} from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readGraceDays, readIdentityAdminConfig } from '../platform/config/index.ts';
import { createIdentityAdmin } from '../platform/identity-admin/index.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import { type CommandIo, readArguments, runCommand, UsageError, withDatabase, withQueue } from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable, printable } from './table.ts';

const usage = `Usage:
  assay users show --email ADDRESS | --user ID
  assay users suspects
  assay users flag --email ADDRESS | --user ID  FLAG on|off --reason TEXT
  assay users standing --email ADDRESS | --user ID  STANDING --reason TEXT
  assay users two-step-off --email ADDRESS | --user ID --reason TEXT

Flags: ${FEATURE_FLAGS.join(', ')}
Standings: ${STANDINGS.join(', ')}. A throttled account may call a tenth as often; a held one starts nothing new, and its lists
are paused; a suspended one can only sign in, read and export.
two-step-off removes the authenticator app, the passkeys and the recovery codes of a customer who lost them, and mails the customer. First
make sure that it is the customer who asks.
suspects shows customers whose lists look harvested, the highest score first. A score proves nothing: look before you act.`;

/** `assay users`: shows customers, and sets feature flags and what the account may do. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, { ...customerOptions, ...reasonOptions });
    const [verb, ...rest] = positionals;
    if (verb === 'show' && rest.length === 0) return show(values, io);
    if (verb === 'suspects' && rest.length === 0) return showSuspects(io);
    if (verb === 'flag') return flag(values, rest, io);
    if (verb === 'standing') return changeStanding(values, rest, io);
    if (verb === 'two-step-off' && rest.length === 0) return turnTwoStepOff(values, io);
    throw new UsageError('Say what to do: show, suspects, flag, standing or two-step-off.');
  });
}

async function show(values: { email?: string; user?: string }, io: CommandIo): Promise<number> {
  return withDatabase(io, async (db) => {
    const user = await findCustomer(db, values);
    const wallet = await getWallet({ db, clock: systemClock, graceDays: readGraceDays(io.env) }, user.id);
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
    for (const [name, value] of lines) io.stdout.write(`${name.padEnd(12)} ${printable(value)}\n`);
    return 0;
  });
}

const showSuspects = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const suspects = await findSuspects(db);
    io.stdout.write(
      suspects.length === 0
        ? 'No customer has a score above 0.\n'
        : formatTable([
            ['id', 'email', 'standing', 'score', 'reasons'],
            ...suspects.map(({ id, email_address, standing, abuse }) => [
              ...[id, email_address, standing],
              ...[String(abuse.score), abuse.reasons.join('; ')],
            ]),
          ]),
    );
    return 0;
  });

async function flag(
  values: { email?: string; user?: string; reason?: string },
  [name, state, ...rest]: string[],
  io: CommandIo,
): Promise<number> {
  if (!isFlag(name)) throw new UsageError(`Name a flag: ${FEATURE_FLAGS.join(' or ')}.`);
  if ((state !== 'on' && state !== 'off') || rest.length > 0) throw new UsageError('Say on or off.');
  const by = readActorAndReason(values, io);

  return withDatabase(io, async (db) => {
    const { id } = await findCustomer(db, values);
    const change = { customerId: id, flag: name, isOn: state === 'on' };
    await setFlagByOperator({ db, clock: systemClock }, by, change);
    io.stdout.write(`${name} is ${state} for customer ${id}.\n`);
    return 0;
  });
}

async function changeStanding(
  values: { email?: string; user?: string; reason?: string },
  [name, ...rest]: string[],
  io: CommandIo,
): Promise<number> {
  const standing = STANDINGS.find((known) => known === name);
  if (!standing || rest.length > 0) throw new UsageError(`Name a standing: ${STANDINGS.join(', ')}.`);
  const by = readActorAndReason(values, io);

  return withDatabase(io, (db) =>
    withQueue(io, async (queue) => {
      const { id } = await findCustomer(db, values);
      await setStanding({ db, queue, clock: systemClock }, by, { customerId: id, standing });
      io.stdout.write(`Account ${id} is ${standing}.\n`);
      return 0;
    }),
  );
}

async function turnTwoStepOff(
  values: { email?: string; user?: string; reason?: string },
  io: CommandIo,
): Promise<number> {
  const by = readActorAndReason(values, io);
  const admin = readIdentityAdminConfig(io.env);
  const identityAdmin = admin && createIdentityAdmin(admin);
  return withDatabase(io, async (db) => {
    const { id } = await findCustomer(db, values);
    await removeSecondFactors({ db, clock: systemClock, identityAdmin }, by, id);
    io.stdout.write(`Two-step verification is off for customer ${id}.\n`);
    return 0;
  });
}

const isFlag = (name: string | undefined): name is keyof FeatureFlags =>
  FEATURE_FLAGS.some((flagName) => flagName === name);
