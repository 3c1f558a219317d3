import { isOperatorRole, OPERATOR_ROLES, type OperatorRole } from '@assay/contract';
import {
  type ActorAndReason,
  addOperator,
  findBrokenAction,
  findOperators,
  removeOperator,
} from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { UserId } from '../platform/ids.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  CommandRefused,
  type CommandRun,
  defineVerbs,
  refuseWords,
  UsageError,
  type ValuesOf,
  withDatabase,
} from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { printTable } from './table.ts';

const options = { ...customerOptions, ...reasonOptions, role: { type: 'string' } } as const;

/** `assay operators`: who may use the operator console, and whether the log of their actions is whole. */
export const run = defineVerbs('operators', options, {
  add: (command) =>
    change(command, async (parts, by, id) => {
      const role = readRole(command.values.role);
      if (!(await addOperator(parts, by, { userId: id, role })))
        throw new CommandRefused(`Account ${id} already is an operator with the role ${role}.`);
      command.print([{ id, role }], `Account ${id} is an operator with the role ${role}.\n`);
    }),
  remove: (command) =>
    change(command, async (parts, by, id) => {
      if (!(await removeOperator(parts, by, id))) throw new CommandRefused(`Account ${id} is no operator.`);
      command.print([{ id, role: null }], `Account ${id} is no operator any more.\n`);
    }),
  list: (command) =>
    printTable(command, 'There is no operator.', async (db) =>
      (await findOperators(db)).map(({ id, role, first_name, last_name, email_address, added_at }) => ({
        id,
        role,
        name: `${first_name} ${last_name}`.trim(),
        email: email_address,
        since: added_at,
      })),
    ),
  verify: (command) => verify(command),
});

function readRole(role = 'admin'): OperatorRole {
  if (isOperatorRole(role)) return role;
  throw new UsageError(`--role takes ${OPERATOR_ROLES.join(' or ')}.`);
}

async function change(
  command: CommandRun<ValuesOf<typeof options>>,
  work: (parts: Parameters<typeof addOperator>[0], by: ActorAndReason, id: UserId) => Promise<void>,
): Promise<number> {
  refuseWords(command);
  readRole(command.values.role);
  const by = readActorAndReason(command.values, command);
  return withDatabase(command, async (db) => {
    const { id } = await findCustomer(db, command.values);
    await work({ db, clock: systemClock }, by, id);
    return 0;
  });
}

const verify = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const { broken, count } = await findBrokenAction(db);
    command.print(
      [{ actions: count, broken }],
      broken === null
        ? `The log of operators verifies: ${count} actions.\n`
        : `The log of operators does not verify: action ${broken} was changed or is missing, or one before it is missing.\n`,
    );
    return broken === null ? 0 : 1;
  });
