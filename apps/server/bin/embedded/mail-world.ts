import { once } from 'node:events';
import { startMailWorld } from '@assay/mail-world';
import { defineCommand, refuseWords, UsageError, type ValuesOf } from '../../src/commands/command.ts';
import type { CommandIo } from '../command-io.ts';
import { sandboxSettings } from './settings.ts';

export const portOptions = {
  'dns-port': { type: 'string', default: '5354' },
  'smtp-port': { type: 'string', default: '2526' },
} as const;

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `assay mail-world`: what answers calls with `sandbox=true` where the product is not started by `assay start`. */
export const runMailWorld = (
  argv: string[],
  io: CommandIo,
  stopped: Promise<unknown> = Promise.race(stopSignals.map((signal) => once(process, signal))),
): Promise<number> =>
  defineCommand('mail-world', portOptions, async (command) => {
    refuseWords(command);
    const world = await startMailWorld(readPorts(command.values));
    const settings = sandboxSettings(world);
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    command.print([settings], lines.join(''));
    await stopped;
    await world.close();
    return 0;
  })(argv, io);

function readPorts(values: ValuesOf<typeof portOptions>): { dnsPort: number; smtpPort: number } {
  const [dnsPort, smtpPort] = [Number(values['dns-port']), Number(values['smtp-port'])];
  const areGood = [dnsPort, smtpPort].every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535);
  if (!areGood) throw new UsageError('A port is a number from 1 to 65535.');
  return { dnsPort, smtpPort };
}
