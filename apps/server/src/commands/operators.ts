import { isOperatorRole, OPERATOR_ROLES } from '@assay/contract';
import { addOperator, findBrokenAction, findOperators, removeOperator } from '../features/operator/index.ts';
import { systemClock } from '../platform/clock.ts';
import { readActorAndReason, reasonOptions } from './actor-and-reason.ts';
import {
  type CommandIo,
  CommandRefused,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { customerOptions, findCustomer } from './find-customer.ts';
import { formatTable } from './table.ts';

const usage = `Usage:
  assay operators add --email ADDRESS | --user ID  [--role support|admin] --reason TEXT
  assay operators remove --email ADDRESS | --user ID  --reason TEXT
  assay operators list
  assay operators verify

Operators may open /operator. add gives an account a role, or another one: support reads, restarts lists and jobs and writes
incidents; admin, which is the default, also decides about money and accounts. The role belongs to the account that --email
finds now, not to the address. ASSAY_OPERATOR_CLAIM and ASSAY_SUPPORT_CLAIM give it to others, who are not listed here.
verify recomputes the hash chain of everything that operators did; exit code 1 if an action was changed or removed.`;

/** `assay operators`: who may use the operator console, and whether the log of their actions is whole. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, {
      ...customerOptions,
      ...reasonOptions,
      role: { type: 'string' },
    });
    const [verb, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError('Name the account by --email or --user.');
    if (verb === 'list') return list(io);
    if (verb === 'verify') return verify(io);
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
        io.stdout.write(`Account ${id} is an operator with the role ${role}.\n`);
        return 0;
      }
      if (!(await removeOperator(parts, by, id))) throw new CommandRefused(`Account ${id} is no operator.`);
      io.stdout.write(`Account ${id} is no operator any more.\n`);
      return 0;
    });
  });
}

const list = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const rows = (await findOperators(db)).map(
      ({ id, role, first_name, last_name, email_address, added_at }) => [
        id,
        role,
        `${first_name} ${last_name}`.trim(),
        email_address,
        added_at.toISOString(),
      ],
    );
    io.stdout.write(
      rows.length === 0
        ? 'There is no operator.\n'
        : formatTable([['id', 'role', 'name', 'email', 'since'], ...rows]),
    );
    return 0;
  });

const verify = (io: CommandIo): Promise<number> =>
  withDatabase(io, async (db) => {
    const { broken, count } = await findBrokenAction(db);
    io.stdout.write(
      broken === null
        ? `The log of operators verifies: ${count} actions.\n`
        : `The log of operators does not verify: action ${broken} was changed or is missing, or one before it is missing.\n`,
    );
    return broken === null ? 0 : 1;
  });
