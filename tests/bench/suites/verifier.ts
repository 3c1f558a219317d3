// Our command line beside verifiers from npm and beside a bare client that knows everything in advance.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installApart } from '../harness/install-apart.ts';
import { measure, pathOf } from '../harness/measure.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import {
  betterOf,
  type Entry,
  engine,
  limit,
  ours,
  peers,
  runEntry,
  type Score,
  writeAddresses,
} from '../verifier/entries.ts';
import { startWorld } from '../verifier/world.ts';

const addressCount = 20_000;
const engineAddressCount = 100_000;
const manyAddressCount = 500_000;
const startMsMax = 250;
const replyDelayMs = 20;
const connectionLimit = 20;

/**
 * Options: `--without-peers` (they take minutes), `--without-memory` (so does the long run), `--only-engine` (the engine
 * beside the limit and nothing else).
 */
export async function run(options: string[]): Promise<Demand[]> {
  const onlyEngine = options.includes('--only-engine');
  const withPeers = !onlyEngine && !options.includes('--without-peers');
  const withMemory = !options.includes('--without-memory');
  if (withPeers) installApart('peers');
  const folder = await mkdtemp(join(tmpdir(), 'bench-verifier-'));
  try {
    if (onlyEngine) return await compareEngine(folder);
    const entries = [limit, ours, ...(withPeers ? peers : [])];
    const free = await runScenario('no limit of connections', entries, folder, undefined);
    const limited = await runScenario(
      `at most ${connectionLimit} connections a host`,
      entries,
      folder,
      connectionLimit,
    );
    const demands = [...judge('free', free), ...judge('limited', limited)];
    demands.push(...(await compareEngine(folder)), await measureStart());
    if (withMemory) demands.push(await compareMemory(folder));
    return demands;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The engine without the command line beside the bare client, both without loading, with the same connections per host. */
async function compareEngine(folder: string): Promise<Demand[]> {
  const demands: Demand[] = [];
  const world = await startWorld({ replyDelayMs });
  try {
    for (const [count, shareMin] of [
      [addressCount, 0.8],
      [engineAddressCount, 0.9],
    ] as const) {
      const addresses = await writeAddresses(folder, count, world);
      const rates: Record<string, number> = {};
      for (const entry of inTurns([limit, engine])) {
        const { rightPerSecondOfWork, cpuMsPerThousand } = await runEntry(entry, addresses, world);
        rates[entry.name] = Math.max(rates[entry.name] ?? 0, rightPerSecondOfWork);
        const rate = `${integer(rightPerSecondOfWork)} right/s`;
        print(
          `${integer(count)} addresses, ${entry.name}: ${rate}, ${integer(cpuMsPerThousand)} ms CPU/1,000`,
        );
      }
      const share = (rates[engine.name] ?? 0) / (rates[limit.name] ?? 1);
      demands.push({
        what: `the engine alone: at least ${shareMin} of the limit at ${integer(count)} addresses`,
        figure: decimal(share),
        isMet: share >= shareMin,
      });
    }
    return demands;
  } finally {
    await world.stop();
  }
}

/** The best of several starts of the command line for an address that needs no network. */
async function measureStart(): Promise<Demand> {
  const argv = [pathOf('../../../apps/server/bin/assay.mjs', import.meta.url), 'verify', 'no-address'];
  let bestMs = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turnCount; turn++) {
    const { wallMs } = await measure({ argv, onLine: () => {} });
    bestMs = Math.min(bestMs, wallMs);
  }
  return {
    what: `the command line starts within ${startMsMax} ms`,
    figure: `${integer(bestMs)} ms`,
    isMet: bestMs <= startMsMax,
  };
}

async function runScenario(
  title: string,
  entries: Entry[],
  folder: string,
  maxConnectionsPerHost: number | undefined,
): Promise<Map<string, Score>> {
  print(`\n${integer(addressCount)} addresses, ${replyDelayMs} ms a reply, ${title}\n`);
  const world = await startWorld({ replyDelayMs, maxConnectionsPerHost });
  try {
    const addresses = await writeAddresses(folder, addressCount, world);
    const scores = new Map<string, Score>();
    for (const entry of inTurns(entries)) {
      const score = await runEntry(entry, addresses, world);
      scores.set(entry.name, mergeTurns(scores.get(entry.name), score));
    }
    printScores(scores);
    return scores;
  } finally {
    await world.stop();
  }
}

// Short runs are easily disturbed, so they run several times in alternation, and the best counts.
const turnCount = 5;

/** The faster turn, with the errors of the worse one. */
function mergeTurns(earlier: Score | undefined, score: Score): Score {
  if (!earlier) return score;
  return {
    ...betterOf(earlier, score),
    wrongShare: Math.max(earlier.wrongShare, score.wrongShare),
    connectionsPerAddress: Math.max(earlier.connectionsPerAddress, score.connectionsPerAddress),
    peakMemoryMiB: Math.max(earlier.peakMemoryMiB, score.peakMemoryMiB),
    violationCount: Math.max(earlier.violationCount, score.violationCount),
  };
}

function inTurns(entries: Entry[]): Entry[] {
  const short = entries.filter((entry) => entry === limit || entry === ours || entry === engine);
  const turns = Array.from({ length: turnCount }, () => short);
  return [...turns.flat(), ...entries.filter((entry) => !short.includes(entry))];
}

function printScores(scores: Map<string, Score>): void {
  const limitRate = scores.get(limit.name)?.rightPerSecond;
  const rows = [...scores].map(([name, score]) => [
    score.inFlight === undefined ? name : `${name} (${score.inFlight} in flight)`,
    integer(score.rightPerSecond),
    limitRate === undefined ? '' : decimal(score.rightPerSecond / limitRate),
    `${decimal(100 * score.wrongShare, 1)}%`,
    integer(score.cpuMsPerThousand),
    decimal(score.connectionsPerAddress, 3),
    String(score.connectionsPeak),
    integer(score.peakMemoryMiB),
    String(score.violationCount),
  ]);
  const head = [
    '',
    'right/s',
    'of limit',
    'wrong',
    'CPU ms/1,000',
    'conn/address',
    'conn peak',
    'MiB',
    'violations',
  ];
  print(renderTable(head, rows));
}

function judge(title: string, scores: Map<string, Score>): Demand[] {
  const own = scores.get(ours.name);
  const bound = scores.get(limit.name);
  if (!own || !bound) return [];
  const peerRates = peers.flatMap(({ name }) => scores.get(name)?.rightPerSecond ?? []);
  const ofLimit = own.rightPerSecond / bound.rightPerSecond;
  const demands: Demand[] = [
    {
      what: `${title}: every answer right`,
      figure: `${decimal(100 * own.wrongShare)}% wrong`,
      isMet: own.wrongShare === 0,
    },
    { what: `${title}: at least half of the limit`, figure: decimal(ofLimit), isMet: ofLimit >= 0.5 },
    {
      what: `${title}: at most 0.1 connections per address`,
      figure: decimal(own.connectionsPerAddress, 3),
      isMet: own.connectionsPerAddress <= 0.1,
    },
    {
      what: `${title}: no violation of the protocol`,
      figure: String(own.violationCount),
      isMet: own.violationCount === 0,
    },
  ];
  if (peerRates.length > 0) {
    const timesPeer = own.rightPerSecond / Math.max(...peerRates);
    demands.push({
      what: `${title}: at least 5 times the fastest peer`,
      figure: decimal(timesPeer, 1),
      isMet: timesPeer >= 5,
    });
  }
  return demands;
}

// Memory varies from run to run by about a fifth because of garbage collection; memory that grows with the number
// of addresses would be twenty-five times as much.
const flatness = 1.3;

async function compareMemory(folder: string): Promise<Demand> {
  const world = await startWorld({ replyDelayMs });
  try {
    const scores: Score[] = [];
    for (const count of [addressCount, manyAddressCount])
      scores.push(await runEntry(ours, await writeAddresses(folder, count, world), world));
    const [few, many] = scores;
    if (!few || !many) throw new Error('both runs have a score');
    print(`\nours, ${integer(addressCount)} and ${integer(manyAddressCount)} addresses\n`);
    printScores(
      new Map([
        [integer(addressCount), few],
        [integer(manyAddressCount), many],
      ]),
    );
    const growth = many.peakMemoryMiB / few.peakMemoryMiB;
    return {
      what: 'memory flat from few to many addresses',
      figure: `× ${decimal(growth)}`,
      isMet: growth <= flatness,
    };
  } finally {
    await world.stop();
  }
}
