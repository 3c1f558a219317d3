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
  type CommandRun,
  defineVerbs,
  refuseWords,
  UsageError,
  type ValuesOf,
  withDatabase,
  withQueue,
} from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatRecord, printTable } from './table.ts';

const options = { ...customerOptions, ...reasonOptions } as const;
type Run = CommandRun<ValuesOf<typeof options>>;

/** `assay users`: shows customers, and sets feature flags and what the account may do. */
export const run = defineVerbs('users', options, {
  show,
  suspects: (command) =>
    printTable(command, 'No customer has a score above 0.', async (db) =>
      (await findSuspects(db)).map(({ id, email_address, standing, abuse }) => ({
        id,
        email: email_address,
        standing,
        score: abuse.score,
        reasons: abuse.reasons,
      })),
    ),
  flag,
  standing: changeStanding,
  'two-step-off': turnTwoStepOff,
});

async function show(command: Run): Promise<number> {
  refuseWords(command);
  return withDatabase(command, async (db) => {
    const user = await findCustomer(db, command.values);
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

async function flag(command: Run): Promise<number> {
  const [name, state, ...rest] = command.words;
  if (!isFlag(name)) throw new UsageError(`Name a flag: ${FEATURE_FLAGS.join(' or ')}.`);
  if ((state !== 'on' && state !== 'off') || rest.length > 0) throw new UsageError('Say on or off.');
  const by = readActorAndReason(command.values, command);

  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, command.values);
    const change = { customerId: id, flag: name, isOn: state === 'on' };
    await setFlagByOperator({ db, clock: systemClock }, by, change);
    command.print([{ id, [name]: change.isOn }], `${name} is ${state} for customer ${id}.\n`);
    return 0;
  });
}

async function changeStanding(command: Run): Promise<number> {
  const [name, ...rest] = command.words;
  const standing = STANDINGS.find((known) => known === name);
  if (!standing || rest.length > 0) throw new UsageError(`Name a standing: ${STANDINGS.join(', ')}.`);
  const by = readActorAndReason(command.values, command);

  return withDatabase(command, (db) =>
    withQueue(command, async (queue) => {
      const { id } = await findCustomer(db, command.values);
      await setStanding({ db, queue, clock: systemClock }, by, { customerId: id, standing });
      command.print([{ id, standing }], `Account ${id} is ${standing}.\n`);
      return 0;
    }),
  );
}

async function turnTwoStepOff(command: Run): Promise<number> {
  refuseWords(command);
  const by = readActorAndReason(command.values, command);
  const admin = readIdentityAdminConfig(command.env);
  const identityAdmin = admin && createIdentityAdmin(admin);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, command.values);
    await removeSecondFactors({ db, clock: systemClock, identityAdmin }, by, id);
    command.print([{ id, two_step: false }], `Two-step verification is off for customer ${id}.\n`);
    return 0;
  });
}

const isFlag = (name: string | undefined): name is keyof FeatureFlags =>
  FEATURE_FLAGS.some((flagName) => flagName === name);
