import { readVerifierConfig } from '../platform/config/index.ts';
import { checkEgressOf } from '../processes/check-egress.ts';
import { type CommandIo, readArguments, runCommand, UsageError } from './command.ts';
import { describeFinding, isProblem } from './finding.ts';

const usage = `Usage:
  assay egress check [--format text|json]

Checks each network address that verifications come from: outbound port 25, reverse DNS, HELO name, SPF of the sender's
domain, DNS block lists. It explains each problem and how to mend it. --format json prints one egress on each line.
Exit code: 0 without a problem, 1 with one.`;

const formats = ['text', 'json'] as const;

/** `assay egress`: checks the address that mail hosts see. */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  return runCommand({ argv, io, usage }, async () => {
    const { values, positionals } = readArguments(argv, { format: { type: 'string', default: 'text' } });
    if (positionals.join(' ') !== 'check') throw new UsageError('Say what to do: check.');
    const format = formats.find((name) => name === values.format);
    if (!format) throw new UsageError(`--format takes ${formats.join(' or ')}.`);

    const config = readVerifierConfig(io.env);
    let hasProblem = false;
    for (const egress of config.egresses) {
      const { findings } = await checkEgressOf(config, egress);
      const heading = config.egresses.length > 1 ? `${egress.name}:\n` : '';
      io.stdout.write(
        format === 'json'
          ? `${JSON.stringify({ egress: egress.name, findings })}\n`
          : heading + findings.map(describeFinding).join(''),
      );
      hasProblem ||= findings.some(isProblem);
    }
    return hasProblem ? 1 : 0;
  });
}
