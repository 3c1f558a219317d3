import { readVerifierConfig } from '../platform/config/index.ts';
import { checkEgressOf } from '../processes/check-egress.ts';
import { type CommandIo, readArguments, runCommand, UsageError } from './command.ts';
import { describeFinding, isProblem } from './finding.ts';

/** `assay egress`: checks the address that mail hosts see. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'egress', argv, io }, async (command) => {
    const { positionals } = readArguments(command.argv, {});
    if (positionals.join(' ') !== 'check') throw new UsageError('Say what to do: check.');

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
