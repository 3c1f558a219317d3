import { FEATURE_FLAGS, type FeatureFlags } from '@assay/contract';
import { STANDINGS } from '@assay/contract/operator';
import { findStanding } from '../features/accounts/index.ts';
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
import {
  type CommandIo,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
  withQueue,
} from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatRecord, formatTable } from './table.ts';

/** `assay users`: shows customers, and sets feature flags and what the account may do. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'users', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, { ...customerOptions, ...reasonOptions });
    const [verb, ...rest] = positionals;
    if (verb === 'show' && rest.length === 0) return show(values, command);
    if (verb === 'suspects' && rest.length === 0) return showSuspects(command);
    if (verb === 'flag') return flag(values, rest, command);
    if (verb === 'standing') return changeStanding(values, rest, command);
    if (verb === 'two-step-off' && rest.length === 0) return turnTwoStepOff(values, command);
    throw new UsageError('Say what to do: show, suspects, flag, standing or two-step-off.');
  });
}

async function show(values: { email?: string; user?: string }, command: CommandRun): Promise<number> {
  return withDatabase(command, async (db) => {
    const user = await findCustomer(db, values);
    const graceDays = readGraceDays(command.env);
    const wallet = await getWallet({ db, clock: systemClock, graceDays }, user.id);
    const { plan, next_renewal_date } = wallet.subscription;
    const shown = {
      id: user.id,
      name: `${user.first_name} ${user.last_name}`.trim(),
      email: user.email_address,
      phone: user.phone ?? null,
      signs_in_by: user.identities,
      since: user.creation_date,
      standing: (await findStanding(db, user.id)) ?? null,
      credits: wallet.balance,
      plan: plan.code,
      renews: next_renewal_date,
    };
    const flags = FEATURE_FLAGS.map((name) => `${name} ${user.feature_flags[name] ? 'on' : 'off'}`);
    command.print([{ ...shown, flags: user.feature_flags }], formatRecord({ ...shown, flags }));
    return 0;
  });
}

const showSuspects = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const suspects = (await findSuspects(db)).map(({ id, email_address, standing, abuse }) => ({
      id,
      email: email_address,
      standing,
      score: abuse.score,
      reasons: abuse.reasons,
    }));
    command.print(suspects, formatTable(suspects, 'No customer has a score above 0.'));
    return 0;
  });

async function flag(
  values: { email?: string; user?: string; reason?: string },
  [name, state, ...rest]: string[],
  command: CommandRun,
): Promise<number> {
  if (!isFlag(name)) throw new UsageError(`Name a flag: ${FEATURE_FLAGS.join(' or ')}.`);
  if ((state !== 'on' && state !== 'off') || rest.length > 0) throw new UsageError('Say on or off.');
  const by = readActorAndReason(values, command);

  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, values);
    const change = { customerId: id, flag: name, isOn: state === 'on' };
    await setFlagByOperator({ db, clock: systemClock }, by, change);
    command.print([{ id, [name]: change.isOn }], `${name} is ${state} for customer ${id}.\n`);
    return 0;
  });
}

async function changeStanding(
  values: { email?: string; user?: string; reason?: string },
  [name, ...rest]: string[],
  command: CommandRun,
): Promise<number> {
  const standing = STANDINGS.find((known) => known === name);
  if (!standing || rest.length > 0) throw new UsageError(`Name a standing: ${STANDINGS.join(', ')}.`);
  const by = readActorAndReason(values, command);

  return withDatabase(command, (db) =>
    withQueue(command, async (queue) => {
      const { id } = await findCustomer(db, values);
      await setStanding({ db, queue, clock: systemClock }, by, { customerId: id, standing });
      command.print([{ id, standing }], `Account ${id} is ${standing}.\n`);
      return 0;
    }),
  );
}

async function turnTwoStepOff(
  values: { email?: string; user?: string; reason?: string },
  command: CommandRun,
): Promise<number> {
  const by = readActorAndReason(values, command);
  const admin = readIdentityAdminConfig(command.env);
  const identityAdmin = admin && createIdentityAdmin(admin);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, values);
    await removeSecondFactors({ db, clock: systemClock, identityAdmin }, by, id);
    command.print([{ id, two_step: false }], `Two-step verification is off for customer ${id}.\n`);
    return 0;
  });
}

const isFlag = (name: string | undefined): name is keyof FeatureFlags =>
  FEATURE_FLAGS.some((flagName) => flagName === name);
