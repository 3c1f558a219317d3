import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type Measurement, measure, pathOf } from '../harness/measure.ts';
import { generateAddresses, pipelines, type Result } from './scenario.ts';
import type { BenchWorld } from './world.ts';

/** A measured program: its arguments for a file of addresses, once for each number of addresses in flight. */
export interface Entry {
  name: string;
  variants: { inFlight?: number; argv(addresses: AddressFiles, world: BenchWorld): string[] }[];
}

export interface AddressFiles {
  count: number;
  /** One address per line. */
  listFile: string;
  /** For the bare client: recipients by host. */
  planFile: string;
}

export interface Score {
  inFlight?: number;
  rightPerSecond: number;
  /** The same without loading the program, where it reports that. */
  rightPerSecondOfWork: number;
  wrongShare: number;
  cpuMsPerThousand: number;
  connectionsPerAddress: number;
  connectionsPeak: number;
  peakMemoryMiB: number;
  violationCount: number;
}

/** As many as our engine opens at most. */
const connectionsPerHost = 8;

export const limit: Entry = {
  name: 'the limit',
  variants: [{ argv: ({ planFile }) => [pathOf('./limit-client.mjs', import.meta.url), planFile] }],
};

/** The engine without the command line: what it takes to load is not counted, for it and for the limit. */
export const engine: Entry = {
  name: 'the engine',
  variants: [
    {
      argv: ({ listFile }, { dns, smtpPort, allowRanges }) => [
        pathOf('./engine-client.mjs', import.meta.url),
        ...[listFile, dns, String(smtpPort), ...allowRanges],
      ],
    },
  ],
};

export const ours: Entry = {
  name: 'assay verify',
  variants: [
    {
      argv: ({ listFile }, { dns, smtpPort, allowRanges }) => [
        pathOf('../../../apps/server/bin/assay.mjs', import.meta.url),
        'verify',
        ...['--file', listFile],
        ...['--format', 'jsonl'],
        ...['--dns', dns],
        ...['--smtp-port', String(smtpPort)],
        ...allowRanges.flatMap((range) => ['--allow-range', range]),
      ],
    },
  ],
};

const peerNames = [
  'deep-email-validator',
  '@devmehq/email-validator-js',
  'email-verify',
  'email-deep-validator',
];

export const peers: Entry[] = peerNames.map((name) => ({
  name,
  variants: [100, 500].map((inFlight) => ({
    inFlight,
    argv: ({ listFile }, { dns, smtpPort }) => [
      pathOf('./peer-client.ts', import.meta.url),
      ...[name, listFile, String(inFlight), dns, String(smtpPort)],
    ],
  })),
}));

interface HostPlan {
  pipelines: boolean;
  recipients: { email: string; isCatchAll: boolean }[];
}

export async function writeAddresses(
  folder: string,
  count: number,
  world: BenchWorld,
): Promise<AddressFiles> {
  const listFile = join(folder, `${count}.txt`);
  const planFile = join(folder, `${count}.json`);
  const list = createWriteStream(listFile);
  const hosts: Record<string, HostPlan> = {};
  for (const { email, host, expected } of generateAddresses(count)) {
    list.write(`${email}\n`);
    const address = world.addresses[host] ?? '';
    hosts[address] ??= { pipelines: pipelines(host), recipients: [] };
    hosts[address].recipients.push({ email, isCatchAll: expected === 'CATCH_ALL' });
  }
  await finished(list.end());
  await writeFile(planFile, JSON.stringify({ smtpPort: world.smtpPort, connectionsPerHost, hosts }));
  return { count, listFile, planFile };
}

/** Runs each variant of an entry and returns the best. */
export async function runEntry(entry: Entry, addresses: AddressFiles, world: BenchWorld): Promise<Score> {
  let best: Score | undefined;
  for (const { inFlight, argv } of entry.variants) {
    await world.takeConduct();
    const tally = new Tally();
    const measurement = await measure({ argv: argv(addresses, world), onLine: (line) => tally.add(line) });
    const { total, violationCount } = await world.takeConduct();
    const right = tally.countRight(addresses.count);
    const score = toScore(right, addresses.count, measurement, tally.workMs);
    const full = {
      ...score,
      inFlight,
      connectionsPerAddress: total.connectionsTotal / addresses.count,
      connectionsPeak: total.connectionsPeak,
      violationCount,
    };
    best = betterOf(best, full);
  }
  if (!best) throw new Error(`${entry.name} has no variant`);
  return best;
}

export function betterOf(one: Score | undefined, other: Score): Score {
  return one && one.rightPerSecond > other.rightPerSecond ? one : other;
}

function toScore(
  right: number,
  count: number,
  { wallMs, cpuMs, peakMemoryMiB }: Measurement,
  workMs: number | undefined,
) {
  return {
    rightPerSecond: right / (wallMs / 1000),
    rightPerSecondOfWork: right / ((workMs ?? wallMs) / 1000),
    wrongShare: (count - right) / count,
    cpuMsPerThousand: cpuMs / (count / 1000),
    peakMemoryMiB,
  };
}

/** Counts wrong answers; a missing or contradictory answer is wrong. */
class Tally {
  readonly #results = new Map<string, string>();
  /** How long the program worked, from its first connection or address to its last answer. */
  workMs: number | undefined;

  add(line: string): void {
    if (!line.startsWith('{')) return;
    const { email, result, workMs } = JSON.parse(line);
    if (workMs !== undefined) {
      this.workMs = workMs;
      return;
    }
    this.#results.set(email, this.#results.has(email) ? 'given twice' : result);
  }

  countRight(count: number): number {
    let right = 0;
    for (const { email, expected } of generateAddresses(count))
      if (this.#results.get(email) === (expected satisfies Result)) right += 1;
    return right;
  }
}
