import { isOperatorRole, OPERATOR_ROLES } from '@assay/contract';
import { addOperator, findBrokenAction, findOperators, removeOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable } from './table.ts';

/** `assay operators`: who may use the operator console, and whether the log of their actions is whole. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'operators', argv, io }, async (command) => {
    const { values, positionals } = readArguments(command.argv, {
      ...customerOptions,
      ...reasonOptions,
      role: { type: 'string' },
    });
    const [verb, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name the account by --email or --user.');
    if (verb === 'list') return list(command);
    if (verb === 'verify') return verify(command);
    if (verb !== 'add' && verb !== 'remove')
      throw new UsageError('Say what to do: add, remove, list or verify.');

    const { role = 'admin' } = values;
    if (!isOperatorRole(role)) throw new UsageError(`--role takes ${OPERATOR_ROLES.join(' or ')}.`);
    const by = readActorAndReason(values, io);
    return withDatabase(io, async (db) => {
      const { id } = await findCustomer(db, values);
      const parts = { db, clock: systemClock };
      if (verb === 'add') {
        if (!(await addOperator(parts, by, { userId: id, role })))
          throw new CommandRefused(`Account ${id} already is an operator with the role ${role}.`);
        command.print([{ id, role }], `Account ${id} is an operator with the role ${role}.\n`);
        return 0;
      }
      if (!(await removeOperator(parts, by, id))) throw new CommandRefused(`Account ${id} is no operator.`);
      command.print([{ id, role: null }], `Account ${id} is no operator any more.\n`);
      return 0;
    });
  });
}

const list = (command: CommandRun): Promise<number> =>
  withDatabase(command, async (db) => {
    const operators = (await findOperators(db)).map(
      ({ id, role, first_name, last_name, email_address, added_at }) => ({
        id,
        role,
        name: `${first_name} ${last_name}`.trim(),
        email: email_address,
        since: added_at,
      }),
    );
    command.print(operators, formatTable(operators, 'There is no operator.'));
    return 0;
  });

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
