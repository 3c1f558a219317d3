import { changePlan, type EgressPlan, findPlans } from '../features/engine/index.ts';
import { readVerifierConfig } from '../platform/config/index.ts';
import { checkEgressOf } from '../processes/check-egress.ts';
import {
  type CommandIo,
  CommandRefused,
  type CommandRun,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts';
import { describeFinding, isProblem } from './finding.ts';
import { formatTable } from './table.ts';

const weeksMax = 12;

/** `assay egress`: checks the address that mail hosts see. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'egress', argv, io }, async (command) => {
    const { positionals, values } = readArguments(command.argv, { weeks: { type: 'string' } });
    const [verb, ...names] = positionals;
    if (verb === 'plan') return plan(command, names, values.weeks);
    if (verb !== 'check' || names.length > 0) throw new UsageError('Say what to do: check or plan.');

    const config = readVerifierConfig(io.env);
    let hasProblem = false;
    for (const egress of config.egresses) {
      const { findings } = await checkEgressOf(config, egress);
      const heading = config.egresses.length > 1 ? `${egress.name}:\n` : '';
      command.print([{ egress: egress.name, findings }], heading + findings.map(describeFinding).join(''));
      hasProblem ||= findings.some(isProblem);
    }
    return hasProblem ? 1 : 0;
  });
}

async function plan(command: CommandRun, names: readonly string[], weeks?: string): Promise<number> {
  const [name, ...others] = names;
  if (others.length > 0 || (name === undefined) !== (weeks === undefined))
    throw new UsageError('Name one egress with --weeks, or neither to see all plans.');
  if (weeks !== undefined && !(/^\d{1,2}$/.test(weeks) && Number(weeks) <= weeksMax))
    throw new UsageError(`--weeks takes a whole number from 0 to ${weeksMax}.`);
  return withDatabase(command, async (db) => {
    const changed = name === undefined ? undefined : await changePlan(db, name, Number(weeks));
    if (name !== undefined && changed === undefined)
      throw new CommandRefused('No worker has used this egress. `assay egress plan` shows all.');
    const plans = changed === undefined ? await findPlans(db) : [changed];
    command.print(plans, formatTable(plans.map(asRow), 'No worker has used an egress yet.'));
    return 0;
  });
}

const asRow = ({ egress, startedAt, weeks, step }: EgressPlan) => ({
  egress,
  'first used': startedAt.toISOString().slice(0, 10),
  weeks: `${weeks}`,
  'of each limit': step === 0 ? 'all' : `1/${2 ** step}`,
});
