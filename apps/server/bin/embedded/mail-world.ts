import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startMailWorld } from '@assay/mail-world';
import type { CommandIo } from '../command-io.ts';

const usage = `Usage:
  assay mail-world [--dns-port N] [--smtp-port N]

Runs the mail world of docs/mail-world.md on loopback until it is stopped, and prints the settings that make it the sandbox of
the API. Run one beside each worker, with the same ports everywhere (5354 and 2526 unless given).
`;

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `assay mail-world`: what answers calls with `sandbox=true` where the product is not started by `assay start`. */
export async function runMailWorld(
  argv: string[],
  io: CommandIo,
  stopped: Promise<unknown> = Promise.race(stopSignals.map((signal) => once(process, signal))),
): Promise<number> {
  const options = readOptions(argv);
  if (typeof options === 'string') {
    const isAskedFor = options === '';
    (isAskedFor ? io.stdout : io.stderr).write(isAskedFor ? usage : `${options}\n\n${usage}`);
    return isAskedFor ? 0 : 2;
  }
  const world = await startMailWorld(options);
  io.stdout.write(`ASSAY_SANDBOX_DNS=${world.dns}\nASSAY_SANDBOX_RANGES=${world.allowRanges.join(',')}\n`);
  await stopped;
  await world.close();
  return 0;
}

/** The ports, or a message about a wrong option, or an empty text when help was asked for. */
function readOptions(argv: string[]): { dnsPort: number; smtpPort: number } | string {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        'dns-port': { type: 'string', default: '5354' },
        'smtp-port': { type: 'string', default: '2526' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return '';
    const [dnsPort, smtpPort] = [Number(values['dns-port']), Number(values['smtp-port'])];
    const areGood = [dnsPort, smtpPort].every(
      (port) => Number.isInteger(port) && port >= 1 && port <= 65_535,
    );
    return areGood ? { dnsPort, smtpPort } : 'A port is a number from 1 to 65535.';
  } catch (error) {
    return (error as Error).message;
  }
}
