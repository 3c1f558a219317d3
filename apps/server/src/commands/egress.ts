import { changePlan, type EgressPlan, findPlans } from '../features/engine/index.ts';
import { readVerifierConfig } from '../platform/config/index.ts';
import {
  CommandRefused,
  type CommandRun,
  defineVerbs,
  refuseWords,
  UsageError,
  type ValuesOf,
  withDatabase,
} from './command.ts';
import { describeEgress } from './describe-egress.ts';
import { describeFinding, isProblem } from './finding.ts';
import { formatTable } from './table.ts';

const weeksMax = 12;

const options = { weeks: { type: 'string' } } as const;
type Run = CommandRun<ValuesOf<typeof options>>;

/** `assay egress`: checks the address that mail hosts see. */
export const run = defineVerbs('egress', options, { check, plan });

async function check(command: Run): Promise<number> {
  refuseWords(command);
  const config = readVerifierConfig(command.env);
  let hasProblem = false;
  for (const egress of config.egresses) {
    const findings = await describeEgress(config, egress);
    const heading = config.egresses.length > 1 ? `${egress.name}:\n` : '';
    command.print([{ egress: egress.name, findings }], heading + findings.map(describeFinding).join(''));
    hasProblem ||= findings.some(isProblem);
  }
  return hasProblem ? 1 : 0;
}

async function plan(command: Run): Promise<number> {
  const { weeks } = command.values;
  const [name, ...others] = command.words;
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
